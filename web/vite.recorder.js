// The recorder of pages as one script, dist/recorder.js, which the C side gives to the browser.
export default {
  build: {
    outDir: 'dist', emptyOutDir: false, minify: false, target: 'es2022', modulePreload: false,
    lib: { entry: 'recorder/main.ts', name: 'tactusRecorder', formats: ['iife'], fileName: () => 'recorder.js' },
  },
}
