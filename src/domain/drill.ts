/** The outages a tester can call up at /settings/device/drill. */
export const DRILL_SCENARIOS = [
  'offline',
  'slow',
  'captive',
  'errors',
  'lostAnswer',
  'wrongClock',
  'fullStorage',
  'update',
] as const
export type DrillScenario = (typeof DRILL_SCENARIOS)[number]
