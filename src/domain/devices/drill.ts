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

/** What the drill did to a call: nothing, cut it, delayed it, replaced its answer, or lost the answer. */
export type DrillFault = 'none' | 'cut' | 'delayed' | 'replaced' | 'answerLost'

/** Something seen during a run: what became of a call, or what the app did about it. */
export type DrillEvent =
  | { kind: 'call'; method: string; path: string; fault: DrillFault; status?: number; tookMs: number }
  | { kind: 'line'; verdict: string }
  | { kind: 'update'; phase: string }
  | { kind: 'toast'; text: string }
  | { kind: 'queue'; waiting: number; ready: number; failed: number }
  | { kind: 'uploads'; count: number }
  | { kind: 'clock'; offMs: number }
  | { kind: 'storage'; trouble: string }
  | { kind: 'writeRefused'; store: string }
