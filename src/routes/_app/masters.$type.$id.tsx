import { createFileRoute } from '@tanstack/react-router'
import { requireSubPath } from '../../blocks/page/requireSubPath.ts'
import { EditMasterPage } from '../../features/masters/MasterForm.tsx'

/** The path is `/masters/{id}/edit` (rule 16.4): `$type` is the id here, and `$id` is the action. */
export const Route = createFileRoute('/_app/masters/$type/$id')({
  beforeLoad: ({ params }) => requireSubPath('masters', params.type, params.id),
  component: Edit,
})

function Edit() {
  const { type: id } = Route.useParams()
  return <EditMasterPage key={id} id={id} />
}
