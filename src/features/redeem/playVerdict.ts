import type { Verdict } from './verdictOf.ts'

interface Tone {
  hertz: number
  at: number
  seconds: number
}

/** A rising pair for accepted, one low tone for refused, two short equal ones for not known; Checking… is silent. */
const TONES: Record<Verdict['tone'], Tone[]> = {
  accepted: [
    { hertz: 660, at: 0, seconds: 0.12 },
    { hertz: 990, at: 0.13, seconds: 0.2 },
  ],
  refused: [{ hertz: 196, at: 0, seconds: 0.45 }],
  unknown: [
    { hertz: 440, at: 0, seconds: 0.1 },
    { hertz: 440, at: 0.18, seconds: 0.1 },
  ],
  checking: [],
}

let context: AudioContext | undefined

/** Sound is an extra: a device that has none, or a browser that forbids it, loses nothing else. */
export function playVerdict(tone: Verdict['tone']): void {
  const tones = TONES[tone]
  if (tones.length === 0 || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  void context.resume().catch(() => undefined)
  for (const each of tones) play(context, each)
}

function play(audio: AudioContext, { hertz, at, seconds }: Tone) {
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
