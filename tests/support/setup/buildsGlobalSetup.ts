import { build, BUILD_IDS, buildKillSwitch, pickApiOrigins } from '../browser/builds.ts'

export default async function buildsGlobalSetup(): Promise<void> {
  await pickApiOrigins()
  await Promise.all(BUILD_IDS.map((id) => build(id)))
  await buildKillSwitch()
}
