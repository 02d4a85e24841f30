import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { BUILD_TARGET } from './build/browsers.ts'
import { chunkGroups, firstFiles } from './build/chunkGroups.ts'
import project from './package.json' with { type: 'json' }
import { bootInPages, layoutPages } from './prerender/layoutPages.ts'

const outDir = process.env['OUT_DIR'] ?? 'dist'
/** The version that /settings/device shows. */
const buildId = process.env['BUILD_ID'] ?? project.version
/** The address of the server behind Vite, for `npm run dev` only. */
const backend = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`
/** The origins that an override of the API base may name, separated by commas; the server's CSP must list the same ones. */
const apiOrigins = (process.env['API_ORIGINS'] ?? '')
  .split(',')
  .map((origin) => origin.trim())
  .filter(Boolean)
  // As a browser writes an origin: without a slash at its end.
  .map((origin) => new URL(origin).origin)

/** The outage drill is for testers: a build has it only on request, and then its worker has another entry. */
const hasDrill = process.env['DRILL'] === 'on'
const drillDefine = { __DRILL__: JSON.stringify(hasDrill) }

const resolve = {
  alias: {
    // The package's entry is a script for ten-year-old browsers, which no bundler can analyse; this file has the same source.
    dexie: 'dexie/dist/modern/dexie.mjs',
    // TanStack Store imports a replacement for a hook that React itself has had since 18.
    'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
  },
}

/** After the app is written, builds the worker as one file, its precache list, and compressed copies of all text files. */
function serviceWorker(): Plugin {
  let first: Set<string>
  return {
    name: 'service-worker',
    apply: 'build',
    writeBundle(_, bundle) {
      first = firstFiles(bundle)
    },
    async closeBundle(error?: Error) {
      if (error) return
      await buildWorker()
      await injectPrecacheList(first)
      await compressText(outDir)
    },
  }
}

const buildWorker = () =>
  build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    resolve,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: false,
      target: BUILD_TARGET,
      rolldownOptions: {
        input: hasDrill ? 'sw/drill/index.ts' : 'sw/index.ts',
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })

/**
 * The files that the worker stores, without icons, pictures and shortcuts: only the browser's installation dialog shows those,
 * while it is online.
 */
const KEPT = /^(?!icons\/|screenshots\/|shortcuts\/|sw\.js$).*\.(html|js|css|svg|png|wasm|woff2|webmanifest)$/

async function injectPrecacheList(first: Set<string>) {
  const files = (await readdir(outDir, { recursive: true })).map((file) => file.replaceAll(sep, '/'))
  const kept = await Promise.all(
    files
      .filter((file) => KEPT.test(file))
      .toSorted()
      .map((url) => describe(url, first)),
  )
  const worker = await readFile(join(outDir, 'sw.js'), 'utf8')
  await writeFile(
    join(outDir, 'sw.js'),
    worker.replace('self.__WB_MANIFEST', () => JSON.stringify(kept)),
  )
}

/**
 * Describes a file for the precache list. The worker takes a file only with the bytes written here: nothing else can become part of
 * the shell. If a name has no hash, the beginning of the checksum is the revision: it compresses away, which a second checksum
 * would not.
 */
async function describe(url: string, first: Set<string>) {
  const sum = createHash('sha256')
    .update(await readFile(join(outDir, url)))
    .digest('base64')
  // Vite's names contain their hash: with a revision the worker would fetch again what the page has downloaded (rule 18.3).
  const revision = url.startsWith('assets/') ? null : sum.slice(0, 8)
  const part = partOf(url, first)
  return { url, revision, integrity: `sha256-${sum}`, ...(part && { part }) }
}

/** The part to which a file belongs, if a device fetches the file only on request (sw/shell.ts). */
function partOf(url: string, first: Set<string>) {
  if (/^assets\/(decoderWorker|zxing_reader)-/.test(url)) return 'barcode-reader'
  return url.startsWith('assets/') && !first.has(url) ? 'screens' : undefined
}

async function compressText(directory: string) {
  const files = await readdir(directory, { recursive: true })
  const text = files.filter((file) => /\.(js|css|html|svg|webmanifest|wasm)$/.test(file))
  await Promise.all(text.map((file) => writeTwins(join(directory, file))))
}

async function writeTwins(file: string) {
  const body = await readFile(file)
  // The best quality takes ten times as long for a megabyte of WebAssembly, and saves a tenth of its bytes, once for each device.
  const quality = file.endsWith('.wasm') ? 9 : constants.BROTLI_MAX_QUALITY
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(body, best))
  await writeFile(`${file}.gz`, await promisify(gzip)(body, { level: 9 }))
}

export default defineConfig({
  resolve,
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }),
    react(),
    tailwindcss(),
    bootInPages(BUILD_TARGET),
    layoutPages(),
    serviceWorker(),
  ],
  define: { __BUILD_ID__: JSON.stringify(buildId), __API_ORIGINS__: JSON.stringify(apiOrigins), ...drillDefine },
  build: {
    outDir,
    emptyOutDir: true,
    target: BUILD_TARGET,
    rolldownOptions: {
      // It would greet a newcomer with a warning on a slow machine.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: { groups: chunkGroups() },
      },
    },
    // Otherwise the first file would name every file of every screen. All of them are in the cache soon after the first visit, and
    // the HTML names those that this visit needs.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, names, { hostType }) => (hostType === 'js' ? [] : names),
    },
  },
  // The page starts its workers as modules, also under `vite dev`.
  worker: { format: 'es' },
  server: { host: '127.0.0.1', proxy: { '/api': backend, '/reporting': backend, '/files': backend } },
})
