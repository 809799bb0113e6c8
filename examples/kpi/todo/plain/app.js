// A list of things to do that changes what has changed, and nothing else.
"use strict";
const list = document.getElementById("list");

document.getElementById("add").addEventListener("click", () => {
    const item = document.createElement("li");
    item.textContent = `Thing ${list.children.length + 1}`;
    list.append(item);
    performance.mark("Added");
});
document.getElementById("done").addEventListener("click", () => {
    const next = list.querySelector("li:not(.done)");
    if (next)
        next.className = "done";
    performance.mark("Completed");
});
document.getElementById("clear").addEventListener("click", () => {
    list.querySelectorAll(".done").forEach(item => item.remove());
    performance.mark("Cleared");
});
