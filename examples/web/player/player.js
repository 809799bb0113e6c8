// A small music player: genres, songs, playback controls, a full screen. Playing streams real bytes in
// chunks from the server it came from. Works offline; nothing is loaded from elsewhere.
//
//   ?quality=adaptive   halves the chunk when a chunk takes longer than its share of playing time
//   ?bug=1              a planted fault: skipping while paused, then playing, throws
const options = new URLSearchParams(location.search)
const song = { seconds: 20, chunk: 65536, chunks: 8 } // half a megabyte a song
const state = { view: 'genres', genre: 0, song: -1, playing: false, loaded: 0, skippedWhilePaused: false, quality: 1 }
const screen = document.getElementById('screen')

function element(kind, attributes, text) {
  const made = document.createElement(kind)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else made.setAttribute(name, value)
  }
  if (text !== undefined) made.textContent = text
  return made
}

function show(view) {
  state.view = view
  draw()
}

async function stream(number) {
  while (state.playing && state.song === number && state.loaded < song.chunks) {
    const began = performance.now()
    const answer = await fetch(`/bytes/${Math.round(song.chunk * state.quality)}`)
    await answer.arrayBuffer()
    if (state.song === number) state.loaded++
    const late = performance.now() - began > (1000 * song.seconds) / song.chunks
    if (options.get('quality') === 'adaptive') state.quality = late ? Math.max(0.125, state.quality / 2) : 1
  }
}

function play() {
  if (options.get('bug') && state.skippedWhilePaused) startDecoder(null)
  state.playing = true
  performance.mark('StartPlaying')
  stream(state.song)
  draw()
}

function startDecoder(track) {
  return track.samples.length // a skipped track has none
}

function pause() {
  state.playing = false
  performance.mark('PausePlaying')
  draw()
}

function choose(number) {
  state.song = number
  state.loaded = 0
  state.skippedWhilePaused = false
  if (state.playing) draw()
  else play()
}

function skip() {
  if (!state.playing) state.skippedWhilePaused = true
  state.song = (state.song + 1) % 3
  state.loaded = 0
  if (state.playing) stream(state.song)
  draw()
}

function controls() {
  const bar = element('div', { class: 'bar', id: 'controls' })
  bar.append(element('button', { id: 'play_pause', 'aria-label': 'Play or pause', click: state.playing ? pause : play },
    state.playing ? 'Pause' : 'Play'))
  bar.append(element('button', { id: 'skip_next', 'aria-label': 'Next song', click: skip }, 'Next'))
  if (state.view !== 'full') bar.append(element('button', { id: 'full_screen', click: () => show('full') }, 'Full screen'))
  return bar
}

const views = {
  genres() {
    screen.append(element('h1', {}, 'Genres'))
    for (const [number, name] of ['Jazz', 'Rock'].entries())
      screen.append(element('button', { id: `genre_${number}`, click: () => { state.genre = number; show('songs') } }, name))
  },
  songs() {
    screen.append(element('h1', {}, 'Songs'))
    for (let number = 0; number < 3; number++)
      screen.append(element('button', { id: `song_${number}`, click: () => choose(number) }, `Song ${number + 1}`))
    screen.append(element('button', { id: 'up', click: () => show('genres') }, 'All genres'))
  },
  full() {
    screen.append(element('h1', {}, 'Now playing'))
    screen.append(element('button', { id: 'close_full', click: () => show('songs') }, 'Close'))
  },
}

function draw() {
  screen.textContent = ''
  views[state.view]()
  if (state.song >= 0) screen.append(controls())
}

draw()
