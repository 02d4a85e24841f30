import { useState, type FocusEvent } from 'react'
import { useSnapshot } from 'valtio/react'
import type { CachedRead } from '../../offline/reads/useCachedRead.ts'
import { unsavedWork } from '../../state/unsavedWork.ts'
import type { Elements } from '../../ui/Elements.ts'
import { Box, Stack } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/ProgressBar.tsx'
import { CachedStrip, LoadError } from '../cached/CachedStrip.tsx'

interface Props<T> {
  read: CachedRead<T>
  /** For example "This branch". */
  what: string
  /** Waits for the newest answer, so that a form does not start from old data. */
  waitForNewest?: true
  /** Shows the age of the data without a box of its own, from edge to edge of the panel. */
  inPanel?: true
  children: (record: T) => Elements
}

/** Shows one record in each of its states: loading, failed, cached with its age, current. */
export function RecordRead<T>(props: Props<T>) {
  const { read, what, waitForNewest, inPanel, children } = props
  const { data, phase, error, retry } = read
  if (phase === 'failed') return <LoadError what={what} error={error} onRetry={retry} />
  if (waitForNewest)
    return (
      <RecordForForm key={read.question} read={read}>
        {children}
      </RecordForForm>
    )
  return data === undefined ? (
    <RecordSkeleton />
  ) : (
    <Shown read={read} inPanel={inPanel}>
      {children(data)}
    </Shown>
  )
}

/**
 * Shows a record in a form. Once the person types in the form or has the focus in it, a newer answer waits: a new form would lose
 * the focus and the next keys. Saving finds out what has changed meanwhile.
 */
function RecordForForm<T>({ read, children }: Pick<Props<T>, 'read' | 'children'>) {
  const { data, phase } = read
  const [inForm, setInForm] = useState<{ record: T }>()
  const [hasFocus, setHasFocus] = useState(false)
  const isTyping = useSnapshot(unsavedWork).forms.length > 0
  const isNewer = data !== undefined && phase !== 'refreshing' && inForm?.record !== data
  if (isNewer && !(inForm && (isTyping || hasFocus))) setInForm({ record: data })
  if (!inForm) return <RecordSkeleton />
  return (
    <Shown read={read}>
      <div className="contents" onFocus={() => setHasFocus(true)} onBlur={(event) => setHasFocus(isStillIn(event))}>
        {children(inForm.record)}
      </div>
    </Shown>
  )
}

/** True if the focus moved within the form or to another window: neither counts as leaving. */
const isStillIn = ({ currentTarget, relatedTarget }: FocusEvent) =>
  currentTarget.contains(relatedTarget as Node | null) || currentTarget.contains(document.activeElement)

interface ShownProps extends Pick<Props<unknown>, 'inPanel'> {
  read: CachedRead<unknown>
  children: Elements
}

function Shown({ read, inPanel, children }: ShownProps) {
  return (
    <>
      {read.staleAsOf && (
        // Data from the device: its age is shown above all of it.
        <div className={inPanel ? '' : 'mb-4 overflow-hidden rounded-2 border border-border'}>
          <CachedStrip read={read} />
        </div>
      )}
      {children}
    </>
  )
}

export const RecordSkeleton = () => (
  <Box aria-busy="true">
    <Stack padded>
      {['a', 'b', 'c', 'd'].map((row) => (
        <Skeleton key={row} />
      ))}
    </Stack>
  </Box>
)
