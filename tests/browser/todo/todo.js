// A small list of things to do, with two planted bugs, chosen by the address:
//   ?bug=clear    clearing the completed ones while only active ones are shown, with something completed
//   ?bug=toggle   all done, a second time, once a filter was used between
"use strict";
const bug = new URLSearchParams(location.search).get("bug");
let todos = [], filter = "all", toggled = false, filtered = false;
const by = id => document.getElementById(id);

function shown() {
    return todos.filter(todo => filter === "all" || todo.done === (filter === "completed"));
}

function draw() {
    by("list").replaceChildren(...shown().map((todo, index) => {
        const item = document.createElement("li"), box = document.createElement("input");
        box.type = "checkbox";
        box.id = `done_${index}`;
        box.checked = todo.done;
        box.addEventListener("click", () => { todo.done = !todo.done; draw(); });
        item.append(box, todo.title);
        return item;
    }));
}

function ViewCache(items) {
    this.rows = items;
}
ViewCache.prototype.forget = function forget(todo) {
    this.rows.find(row => row === todo).title = "";
};

by("add").addEventListener("click", () => {
    todos.push({ title: by("new_todo").value || "something", done: false });
    draw();
});
by("toggle_all").addEventListener("click", function toggleAll() {
    if (bug === "toggle" && toggled && filtered && todos.length)
        todos[todos.length].done = true; // one beyond the end
    toggled = true;
    todos.forEach(todo => { todo.done = true; });
    draw();
});
for (const name of ["all", "active", "completed"])
    by(`show_${name}`).addEventListener("click", () => {
        filtered = filtered || toggled;
        filter = name;
        draw();
    });
by("clear_completed").addEventListener("click", function clearCompleted() {
    if (bug === "clear" && filter === "active") {
        const cache = new ViewCache(shown());
        todos.filter(todo => todo.done).forEach(todo => cache.forget(todo));
    }
    todos = todos.filter(todo => !todo.done);
    draw();
});
draw();
