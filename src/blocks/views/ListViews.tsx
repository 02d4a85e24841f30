import { useState } from 'react'
import * as v from 'valibot'
import { text } from '../../contract/fieldSchemas.ts'
import { LATEST_REDEMPTIONS, type TableState } from '../../domain/tableState.ts'
import { openedState, savedState, showsSame, viewsKey, type ViewState } from '../../domain/viewState.ts'
import { confirm } from '../../state/dialogs.ts'
import { readStored, writeStored } from '../../state/persisted.ts'
import { showToast } from '../../state/toasts.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { FieldBox } from '../../ui/form/CheckboxField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { useUser } from '../accounts/useUser.ts'
import { FormDialog } from '../record/FormDialog.tsx'
import { type BuiltInView, LATEST, LIST_VIEWS, stateOfView, serverDate, type ViewList } from './builtInViews.ts'

interface Props {
  list: ViewList
  state: TableState
  onState: (next: Partial<TableState>, replace?: boolean) => void
  hiddenOnPhone: boolean
}

/** The menu of views beside the search of a list. The URL is the only state: a view is open if the table shows what the view describes. */
export function ListViews({ list, state, onState, hiddenOnPhone }: Props) {
  const { guid } = useUser()
  const [views, setViews] = useState(() => readViews(guid))
  const [isSaving, setSaving] = useState(false)
  const { whole, builtIn } = LIST_VIEWS[list]
  const mine = views.filter((view) => view.list === list)
  const isOpen = (view: BuiltInView) => showsSame(openedState(view.state, serverDate()), state)
  // The latest redemptions stay open while a person searches and filters, as long as the order does not change.
  const isLatest = state.view === LATEST_REDEMPTIONS.view && state.sort === LATEST.state.sort && state.dir === 'desc'
  const open = mine.find(isOpen) ?? builtIn.find(isOpen) ?? (isLatest ? LATEST : undefined)
  const name = open?.name ?? 'All'

  const show = (view: ViewState) => onState(stateOfView(list, view))
  const choice = (group: string, view: BuiltInView | undefined, onSelect: () => void) => {
    const label = view?.name ?? 'All'
    return { key: `${group}/${label}`, label, group, chosen: view === open, onSelect }
  }
  const save = (called: string) => {
    const next = saveView(guid, { list, name: called, state: savedState(state, serverDate()) })
    if (!next) return void showToast({ tone: 'danger', text: `${called} was not saved: this browser stores nothing.` })
    setViews(next)
    showToast({ tone: 'success', text: `${called} saved` })
  }
  const remove = async (view: SavedView) => {
    if (!(await confirm(deleteQuestion(view.name)))) return
    setViews(deleteView(guid, view))
    showToast({ tone: 'success', text: `${view.name} deleted` })
  }
  const own = mine.find((view) => view === open)
  return (
    <>
      <FieldBox
        className={`max-w-[13rem] print:hidden ${hiddenOnPhone ? 'phone:hidden' : 'phone:max-w-none phone:basis-full'}`}
      >
        <span className="font-label" aria-hidden="true">
          View
        </span>
        <Menu
          label={`View: ${name}`}
          triggerClass={`${buttonClass({ spread: true })} max-w-[16rem] min-w-[9rem] phone:max-w-none`}
          trigger={
            <>
              <span className="truncate">{name}</span>
              <Icon drawing={ICONS.down} small />
            </>
          }
          items={() => [
            choice('Views', undefined, () => show(whole)),
            ...builtIn.map((view) => choice('Views', view, () => show(view.state))),
            ...mine.map((view) => choice('My views', view, () => show(view.state))),
            { label: 'Save view…', group: 'Change', onSelect: () => setSaving(true) },
            ...(own ? [{ label: `Delete “${own.name}”…`, group: 'Change', onSelect: () => void remove(own) }] : []),
          ]}
        />
      </FieldBox>
      {isSaving && <SaveViewDialog onSave={save} onClose={() => setSaving(false)} />}
    </>
  )
}

const deleteQuestion = (name: string) => ({
  title: `Delete ${name}?`,
  consequence: 'The list itself stays as it is.',
  act: 'Delete view',
  dismiss: 'Keep view',
  destructive: true,
})

interface SaveViewDialogProps {
  onSave: (name: string) => void
  onClose: () => void
}

const NAME_LENGTH = 60
const ViewNameForm = v.strictObject({ name: text(NAME_LENGTH) })

/** Asks for a name for the state of the table. */
const SaveViewDialog = ({ onSave, onClose }: SaveViewDialogProps) => (
  <FormDialog
    title="Save view"
    act="Save view"
    schema={ViewNameForm}
    initial={{ name: '' }}
    send={async ({ name }) => onSave(name)}
    done={() => {
      onClose()
      return undefined
    }}
    worksOffline
    onClose={onClose}
  >
    {({ field }) => (
      <TextField
        label="Name"
        hint="Search, filters and order are saved on this device. Today’s date is saved as “today”."
        maxLength={NAME_LENGTH}
        autoComplete="off"
        {...field('name')}
      />
    )}
  </FormDialog>
)

const State = v.object({
  q: v.string(),
  filter: v.record(v.string(), v.string()),
  sort: v.string(),
  dir: v.picklist(['asc', 'desc']),
  size: v.number(),
})

const SavedView = v.object({ list: v.string(), name: v.string(), state: State })

/** The state of a table, with a name. */
interface SavedView {
  list: string
  name: string
  state: ViewState
}

/** Reads a person's own views on this device. A filter that no longer exists is dropped where the address is read. */
const readViews = (owner: string): readonly SavedView[] =>
  (readStored(viewsKey(owner), v.array(SavedView)) ?? []) as SavedView[]

const isSame = (one: SavedView, { list, name }: SavedView) => one.list === list && one.name === name

/** Saves a view; it replaces one of the same name. Returns undefined if this browser stores nothing. */
function saveView(owner: string, view: SavedView): readonly SavedView[] | undefined {
  const views = [...readViews(owner).filter((one) => !isSame(one, view)), view]
  return writeStored(viewsKey(owner), views) ? views : undefined
}

function deleteView(owner: string, view: SavedView): readonly SavedView[] {
  const views = readViews(owner).filter((one) => !isSame(one, view))
  writeStored(viewsKey(owner), views)
  return views
}
