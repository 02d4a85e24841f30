import { createFileRoute } from '@tanstack/react-router'
import { BranchImportPage } from '../../features/imports/ImportPage.tsx'

export const Route = createFileRoute('/_app/imports/branches')({ component: BranchImportPage })
