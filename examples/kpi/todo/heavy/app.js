// The same list, drawn again from the beginning at every change, which takes the processor half a second. It cannot
// clear what is done.
"use strict";
const list = document.getElementById("list");
const things = [];

function draw(mark) {
    const until = performance.now() + 500;
    while (performance.now() < until)
        Math.sqrt(Math.random());
    list.replaceChildren(...things.map(thing => {
        const item = document.createElement("li");
        item.textContent = thing.title;
        item.className = thing.done ? "done" : "";
        return item;
    }));
    performance.mark(mark);
}

document.getElementById("add").addEventListener("click", () => {
    things.push({ title: `Thing ${things.length + 1}`, done: false });
    draw("Added");
});
document.getElementById("done").addEventListener("click", () => {
    const next = things.find(thing => !thing.done);
    if (next)
        next.done = true;
    draw("Completed");
});
