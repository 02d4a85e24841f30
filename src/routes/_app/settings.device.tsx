import { createFileRoute } from '@tanstack/react-router'
import { DevicePage } from '../../features/devices/DevicePage.tsx'

export const Route = createFileRoute('/_app/settings/device')({ component: DevicePage })
