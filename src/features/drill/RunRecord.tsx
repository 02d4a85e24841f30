import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import { useDrillEvents } from '../../offline/drill/drillRuns.ts'
import type { DrillRun, StoredDrillEvent } from '../../offline/store/drill.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { checkRun, type CheckResult } from './drillChecks.ts'
import { describeEvent, SCENARIO_LABELS } from './drillLabels.ts'

/** A run of an hour has thousands of calls. The screen shows the latest, the report all of them. */
const SHOWN = 50

export function RunRecord({ run }: { run: DrillRun }) {
  const events = useDrillEvents(run.id)
  if (!events) return null
  const { what, task } = SCENARIO_LABELS[run.scenario]
  return (
    <div className="grid gap-4 p-4">
      <p>{what}</p>
      {run.endedAt === undefined && <p className="text-muted">{task}</p>}
      <ul className="grid gap-2" aria-label="Expected">
        {checkRun(run, events).map((check) => (
          <Check key={check.label} {...check} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3>Seen, latest first</h3>
        <Button
          icon={ICONS.download}
          onClick={() => void saveFileWithToast(drillReport(run, events, navigator.userAgent))}
        >
          Save report
        </Button>
      </div>
      <Seen run={run} events={events} />
    </div>
  )
}

const Check = ({ label, afterMs }: CheckResult) => (
  <li className="grid grid-cols-[auto_1fr_auto] gap-3">
    <span className={afterMs === undefined ? 'text-muted' : 'text-success-text'}>
      <Icon drawing={afterMs === undefined ? ICONS.clock : ICONS.ok} />
    </span>
    <span>{label}</span>
    <span className="text-muted">{afterMs === undefined ? 'not seen' : `after ${secondsText(afterMs)}`}</span>
  </li>
)

function Seen({ run, events }: { run: DrillRun; events: readonly StoredDrillEvent[] }) {
  if (events.length === 0) return <p className="text-muted">Nothing yet.</p>
  return (
    <ol aria-label="Seen">
      {events
        .slice(-SHOWN)
        .toReversed()
        .map((event) => (
          <li
            key={event.number}
            className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3 border-t border-border py-1 wrap-anywhere first:border-t-0"
          >
            <span className="text-muted">{secondsText(event.at - run.startedAt)}</span>
            <span>{describeEvent(event)}</span>
          </li>
        ))}
    </ol>
  )
}

/** A run as a Markdown file, to be pasted into an issue: what was done, expected and seen. */
function drillReport(run: DrillRun, events: readonly StoredDrillEvent[], browser: string): File {
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
      ({ label, afterMs }) => `- [${afterMs === undefined ? ' ' : 'x'}] ${label}${afterText(afterMs)}`,
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

const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
