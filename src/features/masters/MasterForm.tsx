import { Link, useNavigate } from '@tanstack/react-router'
import type * as v from 'valibot'
import { call } from '../../api/call.ts'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { useLoginActs } from '../../blocks/accounts/useLoginActs.tsx'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { RecordForm } from '../../blocks/record/RecordForm.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Master, masters } from '../../contract/masters.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { showToast } from '../../state/toasts.ts'
import { TextField } from '../../ui/form/TextField.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Facts, Panel, Split } from '../../ui/Panel.tsx'
import { showLimitRefusal } from './accountLimit.ts'

export function CreateMasterPage() {
  usePageTitle('Create master')
  return (
    <>
      <PageHeader
        back={<BackLink to="/masters">Masters</BackLink>}
        title="Create master"
        note="A master logs in on its own and manages the branches you assign to it."
      />
      <MasterForm />
    </>
  )
}

export function EditMasterPage({ id }: { id: string }) {
  const { guid } = useUser()
  const read = useCachedRead(guid, `master/${id}`, Master, (signal) => call(masters.get, { params: { id }, signal }))
  usePageTitle(read.data ? `Edit ${read.data.name}` : 'Edit master')
  return (
    <>
      <PageHeader
        back={<BackLink to="/masters">Masters</BackLink>}
        title={read.data?.name ?? 'Edit master'}
        badge={read.data && <AccountBadge status={read.data.status} />}
        actions={<MasterActions master={read.data} id={id} />}
      />
      <RecordRead read={read} what="This master" waitForNewest>
        {(master) => (
          <Split>
            <MasterForm key={master.revision} master={master} />
            <MasterPanel master={master} />
          </Split>
        )}
      </RecordRead>
    </>
  )
}

function MasterActions({ master, id }: { master: Master | undefined; id: string }) {
  const offline = useOffline()
  const { items, dialog } = useLoginActs(master?.status === 'Active' ? master : undefined)
  return (
    <>
      <ActivityLink type="master" guid={id} />
      {items.length > 0 && <Menu label="More actions" items={needsConnection(offline, items)} />}
      {dialog}
    </>
  )
}

/** The fields for creating and editing. A new master is sent without the revision. */
const MasterFields = masters.update.body

type MasterValues = v.InferInput<typeof MasterFields>

const EMPTY_MASTER: MasterValues = { name: '', email: '', revision: 0 }

const toForm = ({ name, email, revision }: Master): MasterValues => ({ name, email, revision })

/** Creates a master, or edits `master`. The email of an activated account only changes through a mailed link. */
function MasterForm({ master }: { master?: Master }) {
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/masters' })
  const showIfLimit = showLimitRefusal({ act: 'Go to masters', go: leave })
  const { form, draft } = useRecordForm({
    draft: master ? `master/${master.guid}` : 'master/create',
    schema: MasterFields,
    initial: master ? toForm(master) : EMPTY_MASTER,
    send: ({ revision, ...facts }) =>
      master
        ? call(masters.update, { params: { id: master.guid }, body: { ...facts, revision } })
        : call(masters.create, { body: facts }),
    saved: (saved) => {
      showToast({ tone: 'success', text: master ? `${saved.name} saved` : `Activation email sent to ${saved.email}` })
      leave()
    },
    edits: { record: Master, toForm },
    refused: (error) => (showIfLimit(error) ? { message: error.statusMessage } : undefined),
  })
  const isEmailFixed = master !== undefined && master.status !== 'Pending Activation'
  return (
    <RecordForm look="narrow" act={master ? 'Save changes' : 'Create master'} form={form} draft={draft} onLeave={leave}>
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        readOnly={isEmailFixed}
        hint={isEmailFixed ? 'To change this email, use the menu at the top.' : 'The activation link is sent here.'}
        {...form.field('email')}
      />
    </RecordForm>
  )
}

/** Shows the facts about a master that the form does not have. */
function MasterPanel({ master }: { master: Master }) {
  const { last_login_at, invited_at, created_at, managed } = master
  const manages = managed.length === 0 ? 'No branch' : <ManagedBranches branches={managed} />
  return (
    <Panel title="Account">
      <Facts
        facts={[
          ['Last login', last_login_at ? formatInstant(new Date(last_login_at)) : 'Never'],
          ...(invited_at ? [['Activation email', `Sent ${formatInstant(new Date(invited_at))}`] as const] : []),
          ['Created', formatDay(new Date(created_at))],
          ['Manages', manages],
        ]}
      />
    </Panel>
  )
}

const ManagedBranches = ({ branches }: { branches: Master['managed'] }) => (
  <ul>
    {branches.map(({ guid, name }) => (
      <li key={guid}>
        <Link to="/branches/$type/$id" params={{ type: guid, id: 'view' }}>
          {name}
        </Link>
      </li>
    ))}
  </ul>
)
