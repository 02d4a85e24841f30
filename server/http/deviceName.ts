import Bowser from 'bowser'

/** Longer ones are no browser's. */
const LONGEST = 512

/** A User-Agent in words: "Chrome on Windows". */
export function deviceName(userAgent: string): string {
  if (userAgent === '' || userAgent.length > LONGEST) return UNKNOWN
  const parsed = Bowser.getParser(userAgent)
  const [browser, system] = [parsed.getBrowserName(), parsed.getOSName()]
  if (!KNOWN_BROWSERS.has(browser)) return UNKNOWN
  return KNOWN_SYSTEMS.has(system) ? `${browser} on ${system}` : browser
}

// A stranger's own words must not get into an owner's list or mail.
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))
const KNOWN_SYSTEMS = new Set(Object.values(Bowser.OS_MAP))
const UNKNOWN = 'Unknown device'
