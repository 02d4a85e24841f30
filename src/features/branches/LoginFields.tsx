import { usePermission } from '../../blocks/useMay.ts'
import type { Branch } from '../../contract/branches.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { BranchFormFields } from './BranchFormSections.tsx'
import { useMasters } from './useMasters.ts'

/** Who signs in as the branch, and who manages it. A master manages what it creates, and is not asked. */
export function LoginFields({ form, branch }: { form: BranchFormFields; branch?: Branch }) {
  const seesMasters = usePermission('masters', 'view')
  const stays = branch !== undefined && branch.account_guid !== null && branch.account_status !== 'Pending Activation'
  return (
    <div className="cols">
      <TextField
        label="Login email"
        type="email"
        autoComplete="off"
        readOnly={stays}
        hint={stays ? 'The login of this branch; it stays.' : 'The activation link is sent here.'}
        {...form.field('email')}
      />
      {seesMasters && <MasterField form={form} branch={branch} />}
    </div>
  )
}

function MasterField({ form, branch }: { form: BranchFormFields; branch: Branch | undefined }) {
  const { entries, missing } = useMasters()
  const now = branch?.master_guid ? [{ guid: branch.master_guid, name: branch.master_name ?? 'Its master' }] : []
  const masters = entries ?? now
  return (
    <SelectField
      label="Managed by"
      hint={missing ? 'The list of masters needs a connection once.' : 'A master sees and edits its branches.'}
      {...form.field('master_guid')}
      options={[
        { value: '', label: 'Main account' },
        ...masters.map(({ guid, name }) => ({ value: guid, label: name })),
      ]}
    />
  )
}
