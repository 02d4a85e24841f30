import { rm } from 'node:fs/promises'
import { defineConfig, type Plugin } from 'vite'
import { BUILD_TARGET } from './build/browsers.ts'

const outDir = process.env['OUT_DIR'] ?? 'dist'

/** `npm run build:kill-switch`: puts the kill switch in the worker's place, in a folder that holds a build. All else stays. */
export default defineConfig({
  publicDir: false,
  plugins: [withoutTwins()],
  build: {
    outDir,
    emptyOutDir: false,
    target: BUILD_TARGET,
    rolldownOptions: { input: 'sw/killSwitch.ts', output: { format: 'iife', entryFileNames: 'sw.js' } },
  },
})

/** The compressed twins of the former worker would still be served in place of the new one. */
function withoutTwins(): Plugin {
  return {
    name: 'without-twins',
    async closeBundle(error?: Error) {
      if (error) return
      for (const suffix of ['br', 'gz']) await rm(`${outDir}/sw.js.${suffix}`, { force: true })
    },
  }
}
