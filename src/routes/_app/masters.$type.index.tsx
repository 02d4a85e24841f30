import { createFileRoute } from '@tanstack/react-router'
import { requireSubPath } from '../../blocks/page/requireSubPath.ts'
import { CreateMasterPage } from '../../features/masters/MasterForm.tsx'

/** `create` is the only page on this level (rule 16.4). */
export const Route = createFileRoute('/_app/masters/$type/')({
  beforeLoad: ({ params }) => requireSubPath('masters', params.type),
  component: CreateMasterPage,
})
