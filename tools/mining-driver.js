// A random user inside the page: performs inputs on an app in a frame of the same origin and notes screens, inputs and
// the first error that nobody caught. Knows nothing of the app: what is visible and can be operated is operated.
//
// A screen's class is the set of kinds of visible controls and of the classes above them, without texts and counts.
// Each run draws its own weights for the kinds of inputs (some are done often, some hardly ever), so that runs differ in
// what they exercise.
'use strict';

function randomOf(seed) {
  let state = seed >>> 0;
  return () => {  // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const CONTROLS = 'a[href^="#"],button,input,select,textarea,label,[role=button],[tabindex],[data-control]';
const TEXTS = ['milk', 'a', '  ', '', 'x y', '2024-02-30', '12', '<b>'];

function kindOf(element) {
  const classes = [...element.classList].sort().join('.');
  const href = element.getAttribute('href');
  return element.tagName.toLowerCase() + (element.id ? '#' + element.id : '') + (classes ? '.' + classes : '') +
      (element.type ? '[' + element.type + ']' : '') + (href ? '(' + href + ')' : '');
}

function visibleControls(view) {
  return [...view.document.querySelectorAll(CONTROLS)].filter(
      element => element.getClientRects().length && !element.disabled);
}

function screenOf(view, controls) {
  const seen = new Set();
  for (const element of controls) {
    const above = element.closest('li,section,header,footer,div');
    seen.add(kindOf(element) + '<' + (above ? [...above.classList].sort().join('.') : ''));
  }
  return view.location.hash + ' ' + [...seen].sort().join(' ');
}

function choicesOf(controls) {
  const choices = new Map();
  const add = (verb, element) => {
    const name = verb + ' ' + kindOf(element);
    if (!choices.has(name)) choices.set(name, []);
    choices.get(name).push([verb, element]);
  };
  for (const element of controls) {
    if (element.matches('input:not([type=checkbox]):not([type=radio]),textarea')) {
      for (const verb of ['type', 'enter', 'escape', 'leave']) add(verb, element);
    } else {
      add('click', element);
      if (element.matches('label,li')) add('doubleclick', element);
    }
  }
  return choices;
}

function key(view, element, name, code) {
  for (const type of ['keydown', 'keypress', 'keyup']) {
    const event = new view.KeyboardEvent(type, {key: name, bubbles: true, cancelable: true});
    Object.defineProperty(event, 'keyCode', {get: () => code});
    Object.defineProperty(event, 'which', {get: () => code});
    element.dispatchEvent(event);
  }
}

function perform(view, random, verb, element) {
  const fire = type => element.dispatchEvent(new view.Event(type, {bubbles: true, cancelable: true}));
  const mouse = type => element.dispatchEvent(new view.MouseEvent(type, {bubbles: true, cancelable: true, view}));
  if (verb === 'click' || verb === 'doubleclick') {
    mouse('mousedown');
    mouse('mouseup');
    element.click();
    if (verb === 'doubleclick') mouse('dblclick');
    return;
  }
  element.focus();
  if (verb === 'type') {
    element.value = TEXTS[Math.floor(random() * TEXTS.length)];
    key(view, element, 'a', 65);
    fire('input');
  } else if (verb === 'enter') {
    key(view, element, 'Enter', 13);
    fire('change');
  } else if (verb === 'escape') {
    key(view, element, 'Escape', 27);
  } else {
    fire('change');
    element.blur();
  }
}

const channel = new MessageChannel();
let resume = null;
channel.port1.onmessage = () => resume();
function turn() {
  return new Promise(done => {
    resume = done;
    channel.port2.postMessage(0);
  });
}

async function open(url) {
  for (const old of document.querySelectorAll('iframe')) old.remove();
  localStorage.clear();
  const frame = document.createElement('iframe');
  frame.width = 900;
  frame.height = 700;
  frame.style = 'position: fixed; left: -2000px';  // laid out, never painted
  window.crashed = null;
  const loaded = new Promise(done => frame.addEventListener('load', done));
  frame.src = url;
  document.body.append(frame);
  await loaded;
  await new Promise(done => setTimeout(done, 20));
  frame.contentWindow.focus();
  return frame.contentWindow;
}

async function oneRun(url, seed, inputs, screens) {
  const random = randomOf(seed), weights = new Map(), events = [];
  const view = await open(url);
  const nameOf = text => {
    if (!screens.has(text)) screens.set(text, screens.size);
    return screens.get(text);
  };
  for (let i = 0; i < inputs && !window.crashed; ++i) {
    const controls = visibleControls(view), choices = choicesOf(controls);
    events.push(nameOf(screenOf(view, controls)));
    if (!choices.size) break;
    let sum = 0;
    for (const name of choices.keys()) {
      if (!weights.has(name)) weights.set(name, Math.pow(10, -2 * random()));
      sum += weights.get(name);
    }
    let at = random() * sum, chosen = null;
    for (const [name, those] of choices) {
      chosen = [name, those];
      at -= weights.get(name);
      if (at < 0) break;
    }
    events.push(chosen[0]);
    const [verb, element] = chosen[1][Math.floor(random() * chosen[1].length)];
    perform(view, random, verb, element);
    for (let j = 0; j < 3; ++j) await turn();
  }
  if (!window.crashed) {
    await new Promise(done => setTimeout(done, 20));
    if (!window.crashed) events.push(nameOf(screenOf(view, visibleControls(view))));
  }
  return {seed, events, crash: window.crashed};
}

// Runs with the given seeds; stops after `crashes` of them have crashed, and after the first that ends later than a minute,
// so that a call ends in time on a busy machine too.
async function manyRuns(url, seeds, inputs, crashes) {
  const screens = new Map(), runs = [];
  const began = Date.now();
  let crashed = 0;
  for (const seed of seeds) {
    const run = await oneRun(url, seed, inputs, screens);
    runs.push(run);
    crashed += run.crash ? 1 : 0;
    if (crashed >= crashes || Date.now() - began > 60000) break;
  }
  return {runs, screens: [...screens.keys()]};
}
