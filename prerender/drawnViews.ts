import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { inertMarkup } from './inertMarkup.ts'
import type { Views } from './views.tsx'

const STAND_IN = resolve(import.meta.dirname, 'routerStandIn.tsx')

/** The markup of the first screens, drawn by the screens' own components. */
export async function prerenderViews(): Promise<Views> {
  const outDir = await mkdtemp(join(tmpdir(), 'first-screens-'))
  try {
    await buildViews(outDir)
    const drawn = await draw(join(outDir, 'views.mjs'))
    return { auth: inertMarkup(drawn.auth), default: inertMarkup(drawn.default) }
  } finally {
    await rm(outDir, { recursive: true })
  }
}

const buildViews = (outDir: string) =>
  build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"', __API_ORIGINS__: '[]' },
    resolve: { alias: { '@tanstack/react-router': STAND_IN } },
    ssr: { noExternal: true },
    build: {
      ssr: resolve(import.meta.dirname, 'views.tsx'),
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'views.mjs', chunkFileNames: '[name].mjs' } },
    },
  })

/** State modules listen for other tabs from the moment they are loaded: a thread of their own ends with what they opened. */
const DRAW = `
  const { parentPort, workerData } = require('node:worker_threads')
  globalThis.addEventListener = () => undefined
  import(workerData).then(({ drawViews }) => parentPort.postMessage(drawViews()))
`

async function draw(module: string): Promise<Views> {
  const thread = new Worker(DRAW, { eval: true, workerData: pathToFileURL(module).href, execArgv: [] })
  try {
    const [views] = (await once(thread, 'message')) as [Views]
    return views
  } finally {
    await thread.terminate()
  }
}
