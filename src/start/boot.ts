/*
 * Runs before the first paint. The build writes this script into each page (prerender/layoutPages.ts), and the server's CSP names
 * its hash. So it is no separate file that a bad connection could lose.
 */
import { chooseView, isOneOf } from './firstView.ts'

const root = document.documentElement
const byId = (id: string) => document.getElementById(id)

function readRow(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    // The browser may forbid storage altogether; the system's theme still applies.
    return null
  }
}

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const GROUNDS = { light: '#ffffff', dark: '#141922' }

function applyTheme() {
  const chosen = readRow('theme')
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : systemDark.matches ? 'dark' : 'light'
  root.dataset['theme'] = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = GROUNDS[theme]
}

applyTheme()
systemDark.addEventListener('change', applyTheme)
// src/state/theme.ts has stored another choice.
addEventListener('themechosen', applyTheme)
// Another tab changed the theme; `key` is null when the storage was cleared.
addEventListener('storage', ({ key }) => {
  if (key === 'theme' || key === null) applyTheme()
})

// Runs as soon as #root is parsed, which is before it can be painted.
new MutationObserver((_, observer) => {
  if (!byId('root')) return
  observer.disconnect()
  const view = showFirst()
  // From a cache or over a good connection, the app's files would arrive before the first frame, which would then wait for them.
  whenNewEnough(view && document.visibilityState === 'visible' ? startAfterFrame : () => void startApp())
}).observe(document, { childList: true, subtree: true })

function showFirst() {
  const first = byId('first')
  if (!first) return undefined
  const { passwordChanged } = (history.state ?? {}) as { passwordChanged?: unknown }
  const { pathname, search } = location
  const view = chooseView(first, readRow, { pathname, search, passwordChanged: Boolean(passwordChanged) })
  first.replaceChildren(...(view ? [view] : []))
  first.hidden = false
  return view
}

/**
 * On a browser that is too old, shows the message of index.html first. Uploads may wait on this device, so the user can start the
 * portal nevertheless. By plain http, except from this machine, nothing can start: browsers have no crypto.randomUUID there, no
 * worker and no camera.
 */
function whenNewEnough(start: () => void) {
  const message = byId('cannot-run')
  if (!message || (isSecureContext && getComputedStyle(message).display === 'none')) return start()
  // The drawn screen is below the message, and a screen reader would read it, too.
  const drawn = byId('first')
  if (drawn) drawn.style.visibility = 'hidden'
  if (!isSecureContext) return askForHttps(message)
  const button = message.querySelector('button')!
  button.hidden = false
  button.addEventListener('click', () => {
    message.remove()
    if (drawn) drawn.style.visibility = ''
    start()
  })
}

function askForHttps(message: HTMLElement) {
  message.replaceChildren(document.importNode((byId('not-secure') as HTMLTemplateElement).content, true))
  const link = message.querySelector('a')!
  // Without the port, because it belongs to plain http.
  link.href = `https://${location.hostname}${location.pathname}${location.search}${location.hash}`
  link.textContent = `Open https://${location.hostname}`
  message.style.display = 'block'
}

/** Starts the app after the first frame, or after a second: a covered window may have no frames. */
function startAfterFrame() {
  requestAnimationFrame(() => setTimeout(() => void startApp()))
  setTimeout(() => void startApp(), 1000)
}

/**
 * Starts the app, once. It fetches all files before it imports any: most browsers remember a module that failed until the page ends
 * (https://github.com/whatwg/html/issues/6768), but forget a failed fetch. The app's style sheet comes before its script: nothing
 * of the app may be seen without it.
 */
async function startApp() {
  const template = byId('app') as HTMLTemplateElement | null
  if (!template) return
  template.remove()
  const files = document.importNode(template.content, true)
  const isViewDrawn = Boolean(byId('first')?.firstChild)
  for (const link of files.querySelectorAll<HTMLLinkElement>('[data-of]'))
    if (!isViewDrawn || !isOneOf(link.dataset['of']!, location.pathname)) link.remove()
  const script = files.querySelector('script')!
  const rules = files.querySelector<HTMLLinkElement>('[rel=stylesheet]')!
  script.remove()
  rules.addEventListener('load', () => document.head.append(script))
  for (const one of [rules, script]) one.addEventListener('error', () => retryLater(() => location.reload()))
  // A worker has all files, and these requests would only ask it twice.
  const hasWorker = (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.controller
  if (!hasWorker) await Promise.all([...files.querySelectorAll('link')].map(({ href }) => waitForFile(href)))
  document.head.append(files)
}

/** Resolves when the browser has the file, however many requests that takes. */
async function waitForFile(address: string): Promise<unknown> {
  const hasArrived = await fetch(address).then(isFile, () => false)
  return hasArrived || new Promise((resolve) => retryLater(() => resolve(waitForFile(address))))
}

/**
 * True if the whole file has come, and not a network's login page. It is also true for a file that the server lacks: the app
 * reports that.
 */
const isFile = async (answer: Response) =>
  answer.status === 404 ||
  (answer.ok && !answer.headers.get('content-type')?.includes('html') && (await answer.text()) !== '')

// On a bad connection the app's files come late or not at all, and the app is not there to say so. Each file that fails is
// requested until it comes. The drawn screen and its typed text stay meanwhile.
const LATE_MS = 4000
const RETRY_MS = 5000
const retries = new Set<() => void>()
let retryTimer: ReturnType<typeof setTimeout> | undefined

/** Calls `retry` after a while, or when the user presses the button. */
function retryLater(retry: () => void) {
  retries.add(retry)
  showMessage('missed')
  clearTimeout(retryTimer)
  retryTimer = setTimeout(retryNow, RETRY_MS)
}

function retryNow() {
  const all = [...retries]
  retries.clear()
  for (const retry of all) retry()
}

addEventListener('online', retryNow)
const isShown = () => !byId('first') && byId('root')?.hasChildNodes()
setTimeout(() => isShown() || document.querySelector('[data-news]') || showMessage('late'), LATE_MS)

/** Shows a message from index.html. Its place is removed with #first, or cleared when the app renders. */
function showMessage(what: 'late' | 'missed') {
  const template = (byId('start-news') as HTMLTemplateElement | null)?.content.querySelector(`[data-news=${what}]`)
  // The HTML itself may still be loading. A shown message is not shown again, because its button may have the focus.
  if (!template || document.querySelector(`[data-news=${what}]`)) return
  const message = document.importNode(template, true)
  message.querySelector('button')?.addEventListener('click', retryNow)
  document.querySelector('[data-news]')?.remove()
  const first = byId('first')
  const place = first?.querySelector('[data-connectivity-slot]') ?? first ?? byId('root')
  place?.append(message)
}

// A press of Login, or of a link beside it, is noted until the app is there: replaceDrawnScreen carries it out. The browser
// itself would lose the typed text. Further typing cancels the press.
addEventListener('submit', (event) => notePress(event, event.target as Element), true)
addEventListener('input', (event) => notePress(event), true)
addEventListener('click', (event) => {
  const link = (event.target as Element).closest('form a')
  const opensBeside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  if (link && !opensBeside) notePress(event, link)
})

function notePress(event: Event, pressed?: Element) {
  const form = (event.target as Element).closest('form')
  if (!form || !byId('first')?.contains(form)) return
  if (pressed) event.preventDefault()
  for (const one of [form, ...form.querySelectorAll('a')]) one.toggleAttribute('data-pressed', one === pressed)
  const button = form.querySelector('[type=submit]')!
  if (pressed === form) button.setAttribute('aria-busy', 'true')
  else button.removeAttribute('aria-busy')
  button.querySelector<HTMLElement>('[data-busy]')!.hidden = pressed !== form
}

// The app must not remove a field while an input method is in use, or a button or link under a finger. The click comes a moment
// after the finger is lifted.
const CLICK_WITHIN_MS = 50
addEventListener('compositionstart', () => (root.dataset['composing'] = ''))
addEventListener('compositionend', () => delete root.dataset['composing'])
addEventListener('pointerdown', () => byId('first') && (root.dataset['pressing'] = ''))
for (const end of ['pointerup', 'pointercancel', 'blur'])
  addEventListener(end, () => setTimeout(() => delete root.dataset['pressing'], CLICK_WITHIN_MS))

// The event comes before the app has loaded, and only once.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  window.__installPrompt = event as typeof window.__installPrompt
})
