import type { Verdict } from './Verdict.ts'

interface Tone {
  hertz: number
  at: number
  seconds: number
}

const RISING: Tone[] = [
  { hertz: 660, at: 0, seconds: 0.12 },
  { hertz: 990, at: 0.13, seconds: 0.2 },
]

/**
 * A rising pair for accepted and held, a falling one for what is at the shop's risk, one low tone for refused, two short equal ones for not
 * known; Checking… is silent.
 */
const TONES: Record<Verdict['tone'], Tone[]> = {
  accepted: RISING,
  held: RISING,
  risk: [
    { hertz: 660, at: 0, seconds: 0.12 },
    { hertz: 440, at: 0.13, seconds: 0.3 },
  ],
  refused: [{ hertz: 196, at: 0, seconds: 0.45 }],
  unknown: [
    { hertz: 440, at: 0, seconds: 0.1 },
    { hertz: 440, at: 0.18, seconds: 0.1 },
  ],
  checking: [],
}

/** One short vibration for accepted, a long one for refused, two for not known, three at the shop's risk. */
const BUZZES: Record<Verdict['tone'], number[]> = {
  accepted: [60],
  held: [60],
  risk: [60, 80, 60, 80, 60],
  refused: [300],
  unknown: [80, 120, 80],
  checking: [],
}

let context: AudioContext | undefined

/** Two low tones for a scan that was not taken: the scanner's own beep said that it was. */
const MISSED: Tone[] = [
  { hertz: 220, at: 0, seconds: 0.15 },
  { hertz: 220, at: 0.25, seconds: 0.25 },
]

/** Returns what to call when the verdict leaves the screen: then it does not sound any more. */
export const playVerdict = (tone: Verdict['tone']): (() => void) => play(TONES[tone], BUZZES[tone])

/** Sounds for a scan that came while none could be taken. */
export const playMissed = (): (() => void) => play(MISSED, [150, 100, 150])

/**
 * Sound and vibration are extras: a device or browser without them shows the verdict all the same. Until somebody touches the page the
 * clock of its sounds may stand, and what is scheduled then sounds together with the next. So a verdict waits for the clock.
 */
function play(tones: readonly Tone[], buzzes: number[]): () => void {
  let hasLeft = false
  if (buzzes.length > 0) navigator.vibrate?.(buzzes)
  if (tones.length > 0 && typeof AudioContext !== 'undefined') {
    const audio = (context ??= new AudioContext())
    const schedule = () => {
      if (!hasLeft) for (const each of tones) sound(audio, each)
    }
    void audio.resume().then(schedule, () => undefined)
  }
  return () => {
    hasLeft = true
  }
}

function sound(audio: AudioContext, { hertz, at, seconds }: Tone) {
  const oscillator = audio.createOscillator()
  const volume = audio.createGain()
  const start = audio.currentTime + at
  oscillator.frequency.value = hertz
  volume.gain.setValueAtTime(0.2, start)
  // Fading out avoids the click of a wave cut off in the middle.
  volume.gain.exponentialRampToValueAtTime(0.001, start + seconds)
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(start + seconds)
}
