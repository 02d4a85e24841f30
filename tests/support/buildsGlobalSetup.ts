import { pickApiOrigins } from './apiOrigins.ts'
import { build, BUILD_IDS, buildKillSwitch } from './builds.ts'

export default async function buildsGlobalSetup(): Promise<void> {
  await pickApiOrigins()
  for (const id of BUILD_IDS) build(id)
  buildKillSwitch()
}
