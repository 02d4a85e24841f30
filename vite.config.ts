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
/** What /settings/device names as the version. */
const buildId = process.env['BUILD_ID'] ?? project.version
/** `npm run dev` only: where the server behind Vite listens. */
const backend = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`
/** Origins the API-base override may name, comma separated; the server's CSP must list the same. */
const apiOrigins = (process.env['API_ORIGINS'] ?? '')
  .split(',')
  .map((origin) => origin.trim())
  .filter(Boolean)
  // As a browser names an origin: without a slash at its end.
  .map((origin) => new URL(origin).origin)

/** The outage drill is for testers: a build has it only when asked, and then the entry of its worker is another. */
const hasDrill = process.env['DRILL'] === 'on'
const drillDefine = { __DRILL__: JSON.stringify(hasDrill) }

const resolve = {
  alias: {
    // The package's entry is a script for browsers of ten years ago, which no bundler can look into; this is the same source.
    dexie: 'dexie/dist/modern/dexie.mjs',
    // TanStack Store asks for a stand-in of what React itself has had since 18.
    'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
  },
}

/** After the app is written: the worker as one file, its precache list, then compressed twins of everything that is text. */
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

/** Only the browser's question about installing shows icons, pictures and shortcuts, and it asks while it is online. */
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
 * The worker takes a file only with the bytes written here: nothing that stands in for it can ever be part of the shell. Where a
 * name has no hash, the sum's beginning is one: it compresses away, a second sum would not.
 */
async function describe(url: string, first: Set<string>) {
  const sum = createHash('sha256')
    .update(await readFile(join(outDir, url)))
    .digest('base64')
  // Vite's names carry their hash: without this the page's own download is fetched a second time (rule 18.3).
  const revision = url.startsWith('assets/') ? null : sum.slice(0, 8)
  const part = partOf(url, first)
  return { url, revision, integrity: `sha256-${sum}`, ...(part && { part }) }
}

/** What a device fetches only when it asks for it (sw/shell.ts). */
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
  // The best quality takes ten times as long for a megabyte of WebAssembly, and saves a tenth of its bytes, once per device.
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
      output: {
        codeSplitting: { groups: chunkGroups() },
      },
    },
    // Every file of every screen would be named in the first one. All of them are in the cache soon after the first visit, and
    // what that visit needs is named in the HTML.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, names, { hostType }) => (hostType === 'js' ? [] : names),
    },
  },
  // The page starts its workers as modules, under `vite dev` too.
  worker: { format: 'es' },
  server: { host: '127.0.0.1', proxy: { '/api': backend, '/reporting': backend, '/files': backend } },
})
