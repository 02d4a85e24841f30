import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import type { Context, Handler } from 'hono'
import { layoutFile } from '../../src/domain/paths.ts'
import type { InlineSources, PortalEnv } from './PortalEnv.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** The compressed copies that the build writes of its text files, best first. */
const TWINS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const

/**
 * Files under /assets/ have their hash in the name; all others may change with the next build. With no-store WebKit does not keep a page for "Back":
 * an unfinished write of a kept page would block every later write of the portal (docs/BROWSERS.md).
 */
function cacheControl(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return path.endsWith('.html') ? 'no-cache, no-store' : 'no-cache'
}

/**
 * Serves the built portal. A path that names a file gets it or a real 404 (a stale page must never receive HTML for a script); any other path is a
 * screen, and gets the HTML of its layout.
 */
export function staticFiles(assets: { directory(): string }): Handler<PortalEnv> {
  return async (c) => {
    const path = decodePath(c.req.path)
    if (path === undefined) return notFound(c)
    const wanted = extname(path) === '' ? layoutFile(path) : path
    return (await serveFile(c, assets.directory(), wanted)) ?? notFound(c)
  }
}

function decodePath(path: string): string | undefined {
  try {
    const decoded = normalize(decodeURIComponent(path))
    // Refuses dot files, ways out of the folder, and names that the file system reads differently.
    return /[\0\\]|\/\./.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

async function serveFile(c: Context<PortalEnv>, directory: string, path: string): Promise<Response | undefined> {
  const file = join(directory, path)
  if (!file.startsWith(normalize(directory) + sep)) return undefined
  const original = await describe(file)
  if (!original) return undefined
  if (extname(file) === '.html') c.set('inline', await inlineSources(file, original.tag))
  const twin = await findTwin(c, file)
  const { tag } = twin ?? original
  c.header('cache-control', cacheControl(path))
  c.header('vary', 'accept-encoding')
  c.header('etag', tag)
  if (isNamedBy(c.req.header('if-none-match'), tag)) return c.body(null, 304)
  if (twin) c.header('content-encoding', twin.encoding)
  c.header('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
  return c.body(new Uint8Array(await readFile(twin ? file + twin.suffix : file)))
}

const knownPages = new Map<string, { tag: string; sources: InlineSources }>()

/** Hashes of a page's inline scripts and styles. They are cached while `tag` is the same; it changes with the file. */
async function inlineSources(file: string, tag: string): Promise<InlineSources> {
  const found = knownPages.get(file)
  if (found?.tag === tag) return found.sources
  const page = await readFile(file, 'utf8')
  const sources = { scripts: hashesOf(page, 'script'), styles: hashesOf(page, 'style') }
  knownPages.set(file, { tag, sources })
  return sources
}

const hashesOf = (page: string, element: 'script' | 'style') =>
  [...page.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))].map(
    ([, text]) => `'sha256-${hash('sha256', text!, 'base64')}'`,
  )

/**
 * True if `if-none-match` names this tag: the client already has the content. The comparison is weak (RFC 9110, 13.1.2), because a proxy that
 * compresses an answer writes the tag as `W/"x"` (nginx, haproxy) or `"x-gzip"` (Apache).
 */
export const isNamedBy = (tags: string | undefined, tag: string | string[] | undefined): boolean =>
  tags?.split(',').some((one) => one.trim() === '*' || plainTag(one) === tag) === true

const plainTag = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/-(gzip|br|deflate)"$/, '"')

async function findTwin(c: Context<PortalEnv>, file: string) {
  const accepted = c.req.header('accept-encoding') ?? ''
  for (const twin of TWINS) {
    if (!new RegExp(`\\b${twin.encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?(,|$))`).test(accepted)) continue
    const found = await describe(file + twin.suffix)
    if (found) return { ...twin, tag: found.tag }
  }
  return undefined
}

async function describe(file: string): Promise<{ tag: string } | undefined> {
  try {
    const found = await stat(file)
    const version = `${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}`
    return found.isFile() ? { tag: `"${version}"` } : undefined
  } catch {
    return undefined
  }
}

function notFound(c: Context<PortalEnv>): Response {
  c.header('cache-control', 'no-store')
  return c.text('Not found', 404)
}
