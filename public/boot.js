// Runs before the first paint. The build writes it into the pages that have a first screen drawn (prerender/layoutPages.ts); the
// server's CSP names it there by its hash.
;(() => {
  const root = document.documentElement
  const systemDark = matchMedia('(prefers-color-scheme: dark)')
  const grounds = { light: '#ffffff', dark: '#141922' }

  function stored(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage may be closed to us altogether; the system's choice still stands.
      return null
    }
  }

  function applyTheme() {
    const chosen = stored('theme')
    const theme = chosen === 'light' || chosen === 'dark' ? chosen : systemDark.matches ? 'dark' : 'light'
    root.dataset.theme = theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = grounds[theme]
  }

  applyTheme()
  systemDark.addEventListener('change', applyTheme)
  // src/state/theme.ts has stored another choice.
  addEventListener('themechosen', applyTheme)
  // Another tab chose; `key` is null when the storage was cleared.
  addEventListener('storage', (event) => {
    if (event.key === 'theme' || event.key === null) applyTheme()
  })

  // The HTML has first screens drawn already. This visitor gets theirs, with their words in it, or none: in doubt the app comes
  // in a moment, and nobody sees what is not for them.
  const read = (key) => JSON.parse(stored(key)) ?? {}

  /** Who is signed in, and was not away for too long. */
  function person() {
    const { session, user } = read('auth')
    const idle = Date.now() - Number(stored('last-action'))
    return session && read('token').token && idle < session.idle_seconds * 1000 ? user : undefined
  }

  function chooseLogin(first, { multiLoginMessage, successRegisterMessage }) {
    const asked = new URLSearchParams(location.search)
    const wasOusted = asked.get('multiLogin') === '1'
    if (asked.has('step') || history.state?.passwordChanged || (successRegisterMessage && !wasOusted)) return undefined
    const view = first.querySelector(`[data-view=${asked.get('as') === 'pos' ? 'pos' : 'merchant'}]`)
    if (!wasOusted) view?.querySelector('[data-notice]').remove()
    else if (multiLoginMessage) say(view, { notice: multiLoginMessage })
    return view
  }

  function chooseFrame(first, { type, status, branch_name, organisation_name }, { isSidebarOpen }) {
    const view = first.querySelector('[data-view=app]')
    if (!view || type === 'POS User' || (type === 'HRP Merchant' && status !== 'Active')) return undefined
    say(view, { account: branch_name ?? organisation_name, type })
    for (const item of view.querySelectorAll(`[data-without*="${type}"]`)) item.remove()
    for (const link of view.querySelectorAll('nav[aria-label=Main] a')) {
      if (`${location.pathname}/`.startsWith(`${link.pathname}/`)) link.setAttribute('aria-current', 'page')
    }
    if (isSidebarOpen === false) {
      view.querySelector('nav[aria-label=Main]').remove()
      view.firstElementChild.dataset.folded = ''
    }
    return view
  }

  function say(view, words) {
    for (const [what, text] of Object.entries(words)) view.querySelector(`[data-say=${what}]`).textContent = text
  }

  function choose(first) {
    try {
      const someone = person()
      if (!/^\/login\/?$/.test(location.pathname)) return someone && chooseFrame(first, someone, read('ui'))
      return someone ? undefined : chooseLogin(first, read('ui'))
    } catch {
      // Something else wrote into the storage.
      return undefined
    }
  }

  // As soon as it is parsed, which is before it can be painted.
  new MutationObserver((_, observer) => {
    if (!document.getElementById('root')) return
    observer.disconnect()
    const first = document.getElementById('first')
    if (!first) return
    const view = choose(first)
    first.replaceChildren(...(view ? [view] : []))
    first.hidden = false
    restoreTyped(view)
    // From a cache or over a good line the app's files would be here before the first frame, and it would wait for them all.
    whenNewEnough(view && document.visibilityState === 'visible' ? startAfterFrame : startApp)
  }).observe(document, { childList: true, subtree: true })

  /** A browser that is too old shows what index.html says to it. Uploads may wait on this device, so it can be opened all the same. */
  function whenNewEnough(start) {
    const news = byId('too-old')
    if (!news || getComputedStyle(news).display === 'none') return start()
    // It lies under these words, and would be read out beside them.
    const drawn = byId('first')
    if (drawn) drawn.style.visibility = 'hidden'
    const button = news.querySelector('button')
    button.hidden = false
    button.addEventListener('click', () => {
      news.remove()
      if (drawn) drawn.style.visibility = ''
      start()
    })
  }

  /** Not for longer than a second: a window that is covered may have no frames. */
  function startAfterFrame() {
    requestAnimationFrame(() => setTimeout(startApp))
    setTimeout(startApp, 1000)
  }

  /** Once. The app's rules come before its script: nothing of it may be seen without them. */
  function startApp() {
    const held = document.getElementById('app')
    if (!held) return
    held.remove()
    const files = document.importNode(held.content, true)
    for (const link of files.querySelectorAll('[data-of]')) if (!isOfOpenPage(link.dataset.of)) link.remove()
    const script = files.querySelector('script')
    script.remove()
    files.querySelector('link[rel="stylesheet"]').onload = () => document.head.append(script)
    document.head.append(files)
  }

  /** Whether one of these paths is the open one; `$` is any part of it. Nobody sees a screen of the frame without being logged in. */
  function isOfOpenPage(paths) {
    const open = location.pathname.split('/')
    const isOpen = (parts) =>
      parts.length === open.length && parts.every((part, at) => part === '$' || part === open[at])
    return byId('first')?.firstChild && paths.split(' ').some((path) => isOpen(path.split('/')))
  }

  // A bad line: the app's files come late, or not at all, and the app is not there to say so. Each that fails is asked for until
  // it is here. What is drawn stays meanwhile, and what is typed in it.
  const LATE_MS = 4000
  const AGAIN_MS = 5000
  const CLICK_WITHIN_MS = 50
  const asks = new Set()
  let nextAsk

  /** Keeps `ask` for a while, or until somebody presses the button. main.tsx misses a file of its first route in the same way. */
  function miss(ask) {
    asks.add(ask)
    tell('missed')
    clearTimeout(nextAsk)
    nextAsk = setTimeout(askAgain, AGAIN_MS)
  }

  function askAgain() {
    const all = [...asks]
    asks.clear()
    for (const ask of all) ask()
  }

  const IMPORTS = /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g

  /** Fetches a script and what it imports at once. Rejects while anything of it is missing, or a network's login page comes for it. */
  async function fetchScript(url, seen = new Set()) {
    if (seen.has(url)) return
    seen.add(url)
    const answer = await fetch(url)
    if (!answer.ok || !answer.headers.get('content-type')?.includes('javascript')) throw new Error(url)
    const imports = [...(await answer.text()).matchAll(IMPORTS)]
    await Promise.all(imports.map(([, path]) => fetchScript(new URL(path, url).href, seen)))
  }

  /** Whether the script and this page itself can be fetched now. */
  const canFetch = (src) =>
    Promise.all([fetchScript(src), fetch(location.href)]).then(
      ([, page]) => page.ok,
      () => false,
    )

  const lost = new Map()

  /**
   * Imports a script that is not part of the first screen. Browsers of before summer 2026 keep a module that failed for the life of
   * the page (https://github.com/whatwg/html/issues/6768): asked for again, one that can be fetched now comes under another name.
   * Where it is a file that this one imports, only `loadAnew` helps.
   */
  async function importScript(src) {
    const tries = lost.get(src)
    try {
      if (!tries || !(await canFetch(src))) return await import(src)
      return await import(src).catch(() => import(`${src}?${tries}`))
    } catch (error) {
      // One that came and threw would throw again.
      if (/import(ed|ing) .*module/i.test(error?.message)) lost.set(src, (tries ?? 0) + 1)
      throw error
    }
  }

  const ANEW_EVERY_MS = 60000

  /**
   * What is typed in the login comes along. Answers `false`, and does nothing, within a minute of the last time, and where nothing
   * can be stored.
   */
  function loadAnew() {
    try {
      if (Math.abs(Date.now() - Number(sessionStorage.getItem('loaded-anew'))) < ANEW_EVERY_MS) return false
      sessionStorage.setItem('loaded-anew', String(Date.now()))
      sessionStorage.setItem('typed', JSON.stringify(typedInLogin()))
    } catch {
      return false
    }
    location.reload()
    return true
  }

  function typedInLogin() {
    const fields = [...document.querySelectorAll('[data-login] form input[autocomplete]')].map((field) => ({
      of: field.autocomplete,
      value: field.value,
      caret: field === document.activeElement ? [field.selectionStart, field.selectionEnd] : null,
    }))
    return { fields, pressed: document.querySelector('form[data-pressed]') !== null }
  }

  function restoreTyped(view) {
    let typed
    try {
      typed = JSON.parse(sessionStorage.getItem('typed'))
      // A password is in it.
      sessionStorage.removeItem('typed')
    } catch {
      return
    }
    if (!typed) return
    for (const { of, value, caret } of typed.fields) {
      const field = view?.querySelector(`form input[autocomplete="${of}"]`)
      if (!field) continue
      field.value = value
      if (!caret) continue
      field.focus()
      // A field for an email does not say where its caret is.
      if (caret[0] !== null) field.setSelectionRange(...caret)
    }
    if (typed.pressed) view?.querySelector('form')?.requestSubmit()
  }

  window.__files = { miss, canFetch, importScript, loadAnew, whenNewEnough }
  addEventListener('online', askAgain)
  const isStarted = () => 'build' in root.dataset
  addEventListener(
    'error',
    ({ target }) => {
      if (isStarted()) return
      if (target.rel === 'stylesheet') miss(() => askForStyles(target))
      if (target.type === 'module' && target.src) miss(() => askForScript(target.src))
    },
    true,
  )

  function askForStyles(link) {
    const next = document.createElement('link')
    for (const { name, value } of link.attributes) next.setAttribute(name, value)
    next.onload = link.onload
    link.replaceWith(next)
  }

  // Not the element again: one that has failed never runs.
  async function askForScript(src) {
    const isHere = await canFetch(src)
    const isRunning = isHere && (await import(src).catch(() => false))
    if (!isRunning && !(isHere && loadAnew())) miss(() => askForScript(src))
  }

  const byId = (id) => document.getElementById(id)
  const isShown = () => !byId('first') && byId('root')?.hasChildNodes()
  setTimeout(() => isShown() || document.querySelector('[data-news]') || tell('late'), LATE_MS)

  /** The words stand in index.html. Where they are shown is taken away with #first, or cleared when the app renders. */
  function tell(what) {
    const words = byId('start-news')?.content.querySelector(`[data-news=${what}]`)
    // The HTML itself may be on its way still. Not anew: the button may have the focus.
    if (!words || document.querySelector(`[data-news=${what}]`)) return
    const news = document.importNode(words, true)
    news.querySelector('button')?.addEventListener('click', askAgain)
    document.querySelector('[data-news]')?.remove()
    const first = byId('first')
    const place = first?.querySelector('[data-connectivity-slot]') ?? first ?? byId('root')
    place.append(news)
  }

  // Who presses Login, or a link beside it, before the app is there has pressed: replaceDrawnScreen carries it out. The browser would
  // follow the link without what is typed. Who types on afterwards has taken it back.
  addEventListener('submit', (event) => press(event, event.target), true)
  addEventListener('input', (event) => press(event), true)
  addEventListener('click', (event) => {
    const link = event.target.closest('form a')
    const opensBeside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (link && !opensBeside) press(event, link)
  })

  function press(event, pressed) {
    const form = event.target.closest('form')
    if (!byId('first')?.contains(form)) return
    if (pressed) event.preventDefault()
    for (const one of [form, ...form.querySelectorAll('a')]) one.toggleAttribute('data-pressed', one === pressed)
    const button = form.querySelector('[type=submit]')
    if (pressed === form) button.setAttribute('aria-busy', 'true')
    else button.removeAttribute('aria-busy')
    button.querySelector('[data-busy]').hidden = pressed !== form
  }

  // The app must not take a field away from under an input method, nor a button or a link from under a finger: the click comes a
  // moment after the finger is gone.
  addEventListener('compositionstart', () => (root.dataset.composing = ''))
  addEventListener('compositionend', () => delete root.dataset.composing)
  addEventListener('pointerdown', () => byId('first') && (root.dataset.pressing = ''))
  for (const end of ['pointerup', 'pointercancel', 'blur']) {
    addEventListener(end, () => setTimeout(() => delete root.dataset.pressing, CLICK_WITHIN_MS))
  }

  // Comes before the app has loaded, and only once.
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    window.__installPrompt = event
  })
})()
