import type { DrillRun, StoredDrillEvent } from '../../offline/store/drill.ts'
import { checkRun } from './drillChecks.ts'
import { describeEvent, SCENARIO_LABELS } from './drillLabels.ts'

/** A run as a text file that can be read as it is and pasted into an issue: what was done, what was expected, what was seen. */
export function drillReport(run: DrillRun, events: readonly StoredDrillEvent[], browser: string): File {
  const { title, what } = SCENARIO_LABELS[run.scenario]
  const text = [
    `# Outage drill: ${title}`,
    '',
    what,
    '',
    `- Started: ${isoText(run.startedAt)}`,
    `- Ended: ${run.endedAt === undefined ? 'still on' : isoText(run.endedAt)}`,
    `- Build: ${__BUILD_ID__}`,
    `- Browser: ${browser}`,
    '',
    '## Expected',
    '',
    ...checkRun(run, events).map(
      ({ words, afterMs }) => `- [${afterMs === undefined ? ' ' : 'x'}] ${words}${afterText(afterMs)}`,
    ),
    '',
    '## Seen',
    '',
    ...events.map((event) => `- ${secondsText(event.at - run.startedAt)}: ${describeEvent(event)}`),
    '',
  ].join('\n')
  return new File([text], `outage-drill-${run.scenario}-${isoText(run.startedAt).replaceAll(/[:.]/g, '-')}.md`, {
    type: 'text/markdown',
  })
}

const isoText = (ms: number) => new Date(ms).toISOString()
const afterText = (ms: number | undefined) => (ms === undefined ? '' : `, after ${secondsText(ms)}`)

export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
