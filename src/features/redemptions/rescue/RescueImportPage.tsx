import { useId, useRef, useState } from 'react'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { useUnsavedWork } from '../../../blocks/drafts/useUnsavedWork.ts'
import { BackLink } from '../../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { copyName, readRescueText } from '../../../domain/devices/rescueCopies.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextArea } from '../../../ui/form/TextFieldVariants.tsx'
import { Icon, type Drawing } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Item, Panel, Split, Stack } from '../../../ui/Panel.tsx'
import { CameraScanner, type LookedFor } from '../camera/CameraScanner.tsx'
import type { CodeReader } from '../camera/CodeReading.ts'
import { ImportSummary, RescueOutcomes } from './RescueOutcomes.tsx'
import { useRescueImport, type RescueImport } from './useRescueImport.ts'

/** Uploads what another till could not: its rescue copy is read here, with or without a connection, and then imported. */
export function RescueImportPage() {
  usePageTitle('Import a rescue copy')
  const { type } = useUser()
  const run = useRescueImport()
  const [looksFor] = useState(lookForParts)
  useUnsavedWork('rescue-import', run.stage === 'waiting' && !run.isEmpty)
  return (
    <>
      <PageHeader
        back={
          type === 'POS User' ? (
            <BackLink to="/settings/device">This device</BackLink>
          ) : (
            <BackLink to="/devices">Devices</BackLink>
          )
        }
        title="Import a rescue copy"
        note="It uploads the vouchers of a till that cannot. Each is recorded once, however often you import it."
      />
      <Stack apart>
        <Split columns="even">
          <Stack apart>
            <AddCopy onText={run.add} />
            <ReadSoFar run={run} />
          </Stack>
          <CameraScanner looksFor={looksFor} onCode={(code) => run.add(code)} paused={run.stage === 'busy'} />
        </Split>
        {run.outcomes.length > 0 && <RescueOutcomes outcomes={run.outcomes} />}
      </Stack>
    </>
  )
}

function AddCopy({ onText }: { onText: RescueImport['add'] }) {
  const file = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = (given: string, failure: string) => {
    const found = onText(given)
    setProblem(found ? undefined : failure)
    if (found) setText('')
  }
  return (
    <Panel title="Add the copy">
      <Stack padded>
        <div className="flex flex-wrap items-center gap-3">
          <Button icon={ICONS.file} onClick={() => file.current?.click()}>
            Open a file
          </Button>
          <span className="text-muted">Or scan its codes with the camera.</span>
        </div>
        <input
          ref={file}
          hidden
          type="file"
          accept=".txt,text/plain"
          aria-label="Rescue copy file"
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0]
            currentTarget.value = ''
            void chosen?.text().then((given) => add(given, `${chosen.name} holds no rescue copy.`))
          }}
        />
        <form
          className="grid justify-items-start gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            add(text, 'This text holds no whole rescue copy or code.')
          }}
        >
          <TextArea
            className="w-full"
            label="Or paste its text"
            hint="A hand scanner can type its codes here too, one after the other."
            rows={3}
            spellCheck={false}
            value={text}
            onChange={setText}
            {...(problem === undefined ? {} : { error: problem })}
          />
          <Button type="submit" aria-disabled={text.trim() === '' || undefined}>
            Add
          </Button>
        </form>
      </Stack>
    </Panel>
  )
}

/** What has been read, what is missing, and the upload. */
function ReadSoFar({ run }: { run: RescueImport }) {
  const offline = useOffline()
  const reason = useId()
  const { codes, copies, stage, failure, isEmpty } = run
  const lines: { icon: Drawing; text: string }[] = codes.map(({ id, count, missing }) => {
    const said = missing.length === 0 ? allText(count) : missingText(count, missing)
    const text = codes.length > 1 ? `${copyName(id)}. ${said}` : said
    return { icon: missing.length === 0 ? ICONS.ok : ICONS.todo, text }
  })
  if (run.filed > 0) lines.unshift({ icon: ICONS.ok, text: 'The whole copy has been read.' })
  return (
    <Panel title="Read so far">
      <div role="status">
        <ul>
          {isEmpty && <Item mark={<Icon drawing={ICONS.todo} />}>Nothing yet</Item>}
          {lines.map(({ icon, text }) => (
            <Item key={text} mark={<Icon drawing={icon} />}>
              {text}
            </Item>
          ))}
        </ul>
      </div>
      <Stack padded className="border-t border-border">
        {failure !== undefined && (
          <Notice tone="danger" role="alert" title="Not imported">
            <p>{failure}</p>
          </Notice>
        )}
        {run.outcomes.length > 0 && <ImportSummary outcomes={run.outcomes} />}
        {copies > 0 && offline && <p id={reason}>Importing needs a connection. What was read stays here until then.</p>}
        <div>
          <Button
            variant={stage === 'done' ? 'plain' : 'primary'}
            icon={ICONS.upload}
            busy={stage === 'busy'}
            aria-disabled={copies === 0 || offline || undefined}
            aria-describedby={copies > 0 && offline ? reason : undefined}
            onClick={run.start}
          >
            {stage === 'done' ? 'Import again' : 'Import'}
          </Button>
        </div>
      </Stack>
    </Panel>
  )
}

const allText = (count: number) => (count === 1 ? 'The code has been read.' : `All ${count} codes have been read.`)

const missingText = (count: number, missing: readonly number[]) =>
  `${count - missing.length} of ${count} codes have been read. Still missing: ${missing.join(', ')}`

/** Reads every part that a picture shows, each once: on paper several are in view. */
class PartReader implements CodeReader {
  readonly #known = new Set<string>()

  see(sightings: Parameters<CodeReader['see']>[0]): ReturnType<CodeReader['see']> {
    const [first] = sightings
    if (!first) return undefined
    const parts = sightings.filter(({ text }) => readRescueText(text).parts.length > 0)
    const fresh = parts.find(({ text }) => !this.#known.has(text))
    if (!fresh) return { hint: parts.length > 0 ? 'again' : 'foreign' }
    this.#known.add(fresh.text)
    return { code: fresh.text }
  }
}

const lookForParts = (): LookedFor => ({
  reader: new PartReader(),
  off: 'Scan the codes with the camera, in any order',
  aim: 'Hold one code after the other inside the frame',
  hints: {
    foreign: 'This code is not part of a rescue copy.',
    several: 'Show one code at a time.',
    again: 'This code has been read. Show the next one.',
  },
})
