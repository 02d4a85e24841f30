import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { NeedsConnection } from '../connectivity/OnlineLink.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import type { RecordList } from './RecordList.ts'
import { useBulkRun, type BulkAction, type BulkResult } from './useBulkRun.ts'

interface BulkBarProps<Row> {
  list: Pick<RecordList<Row, never>, 'rowKey' | 'rowName'>
  bulk: readonly BulkAction<Row>[]
  chosen: readonly Row[]
  onClear: () => void
  /** Something was changed: the list is to be read again. */
  onDone: () => void
}

/** Above the table while rows are chosen: how many, what can be done with them, and the way out. */
export function BulkBar<Row>({ list, bulk, chosen, onClear, onDone }: BulkBarProps<Row>) {
  const [act, setAct] = useState<BulkAction<Row>>()
  const offline = useOffline()
  return (
    <div
      className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-2 border border-border bg-selected py-2 pr-2 pl-4 [--ground:var(--selected)]"
      role="region"
      aria-label="Selected rows"
    >
      <span className="font-strong" role="status">
        {`${chosen.length} selected`}
      </span>
      {bulk.map((one) => (
        <Button
          key={one.label}
          variant={one.destructive ? 'danger' : 'plain'}
          aria-disabled={offline || undefined}
          onClick={() => setAct(one)}
        >
          {one.label}
        </Button>
      ))}
      <NeedsConnection />
      <Button variant="quiet" className="ml-auto" onClick={onClear}>
        Clear selection
      </Button>
      {act && (
        <BulkDialog
          {...{ list, act, chosen }}
          onClose={(changed) => {
            setAct(undefined)
            if (!changed) return
            onClear()
            onDone()
          }}
        />
      )}
    </div>
  )
}

interface BulkDialogProps<Row> {
  list: Pick<RecordList<Row, never>, 'rowKey' | 'rowName'>
  act: BulkAction<Row>
  chosen: readonly Row[]
  /** Whether anything was tried. */
  onClose: (changed: boolean) => void
}

/** One dialog, three stages: what will happen to whom, how far it is, and what became of each. */
function BulkDialog<Row>({ list, act, chosen, onClose }: BulkDialogProps<Row>) {
  const taking = chosen.filter((row) => act.refuses(row) === undefined)
  const run = useBulkRun(list, act, taking)
  const leftOut = chosen.flatMap((row) => {
    const reason = act.refuses(row)
    return reason === undefined ? [] : [{ key: list.rowKey(row), name: list.rowName(row), reason }]
  })
  const started = run.stage !== 'asking'
  const close = () => {
    run.stop()
    if (run.stage !== 'running') onClose(started)
  }
  return (
    <Dialog
      open
      alert={!started}
      holdsForm={started}
      title={titleOf(act, run, taking.length)}
      onClose={close}
      actions={actions()}
    >
      {run.stage === 'asking' && (
        <p>{taking.length === 0 ? 'This action is not possible for any of these rows.' : act.consequence}</p>
      )}
      {run.stage === 'asking' && leftOut.length > 0 && <LeftOut rows={leftOut} />}
      {run.stage === 'running' && <ProgressBar label={act.doing} value={run.results.length / taking.length} />}
      {started && <BulkResults act={act} results={run.results} total={taking.length} />}
    </Dialog>
  )

  function actions() {
    if (run.stage === 'done') return <Button onClick={close}>Close</Button>
    if (run.stage === 'running') return <Button onClick={run.stop}>Stop</Button>
    return (
      <>
        <Button onClick={close}>Cancel</Button>
        {taking.length > 0 && (
          <Button variant={act.destructive ? 'reject' : 'primary'} onClick={run.start}>
            {`${act.label} ${taking.length}`}
          </Button>
        )}
      </>
    )
  }
}

function titleOf(
  { label, doing, done }: BulkAction<never>,
  { stage, results }: { stage: string; results: readonly { failure: string | undefined }[] },
  count: number,
) {
  if (stage === 'asking') return count === 1 ? `${label} 1?` : `${label} ${count}?`
  if (stage === 'running') return `${doing} ${Math.min(results.length + 1, count)} of ${count}`
  return `${done} ${results.filter(({ failure }) => failure === undefined).length} of ${count}`
}

function LeftOut({ rows }: { rows: readonly { key: string; name: string; reason: string }[] }) {
  return (
    <>
      <p>{rows.length === 1 ? '1 is left out:' : `${rows.length} are left out:`}</p>
      <ul>
        {rows.map(({ key, name, reason }) => (
          <li key={key}>{`${name}: ${reason}`}</li>
        ))}
      </ul>
    </>
  )
}

interface BulkResultsProps {
  act: Pick<BulkAction<never>, 'done'>
  results: readonly BulkResult[]
  total: number
}

/** What became of each row, in the order they were done; the refused ones first, for they need somebody. */
function BulkResults({ act, results, total }: BulkResultsProps) {
  const refused = results.filter(({ failure }) => failure !== undefined)
  const worked = results.filter(({ failure }) => failure === undefined)
  return (
    <>
      <ul>
        {[...refused, ...worked].map(({ key, name, failure }) => (
          <li key={key} className="flex gap-2 py-1">
            <Icon
              drawing={failure === undefined ? ICONS.ok : ICONS.alert}
              small
              className={failure === undefined ? 'mt-1 text-success-text' : 'mt-1 text-danger-text'}
            />
            <span>
              <b className="font-strong">{name}</b>
              <span>{`: ${failure ?? act.done}`}</span>
            </span>
          </li>
        ))}
      </ul>
      <div className="sr-only" role="status">
        {results.length === total && `${worked.length} done, ${refused.length} refused`}
      </div>
    </>
  )
}
