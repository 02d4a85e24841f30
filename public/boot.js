// Runs before the first paint, from its own file, since the CSP allows no inline script.
;(() => {
  const root = document.documentElement
  const systemDark = matchMedia('(prefers-color-scheme: dark)')
  const grounds = { light: '#ffffff', dark: '#141922' }

  function chosenTheme() {
    try {
      return localStorage.getItem('theme')
    } catch {
      // Storage may be closed to us altogether; the system's choice still stands.
      return null
    }
  }

  function applyTheme() {
    const chosen = chosenTheme()
    const theme = chosen === 'light' || chosen === 'dark' ? chosen : systemDark.matches ? 'dark' : 'light'
    root.dataset.theme = theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = grounds[theme]
  }

  applyTheme()
  systemDark.addEventListener('change', applyTheme)
  // Another tab chose; `key` is null when the storage was cleared.
  addEventListener('storage', (event) => {
    if (event.key === 'theme' || event.key === null) applyTheme()
  })

  // Comes before the app has loaded, and only once.
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    window.__installPrompt = event
  })
})()
