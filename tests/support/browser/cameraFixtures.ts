import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumLaunch } from './chromium.ts'
import { expect, testFirstVisit } from './fixtures.ts'
import { drawScene, type Scene } from './scene.ts'

/** The fake camera of the browser. */
export interface Camera {
  /** Shows this scene, without end, from the next time the camera is opened. */
  shows(scene: Scene): Promise<void>
  /** Unplugs the camera. */
  goesMissing(): Promise<void>
}

interface WorkerFixtures {
  /** With 1 camera, tests choose its picture. With more, they show the browser's own test picture. */
  cameras: number
  cameraFile: string
}

/** Browser tests with a camera that pages may use. Each has a context of its own: a shared one loses the permission between tests. */
export const test = testFirstVisit.extend<{ camera: Camera }, WorkerFixtures>({
  permissions: ['camera'],

  cameras: [1, { scope: 'worker', option: true }],

  cameraFile: [
    // Playwright reads the dependencies of a fixture from its first parameter, which has to be a pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const file = join(tmpdir(), `camera-${randomUUID()}.mjpeg`)
      await use(file)
      await rm(file, { force: true })
    },
    { scope: 'worker' },
  ],

  launchOptions: [
    async ({ cameras, cameraFile }, use) => {
      const device = `--use-fake-device-for-media-stream=device-count=${cameras}`
      const picture = cameras === 1 ? [`--use-file-for-fake-video-capture=${cameraFile}`] : []
      // The whole browser: the headless shell has no cameras.
      const { args, ...browser } = chromiumLaunch()
      await use({ ...browser, args: [...args, device, ...picture] })
    },
    { scope: 'worker' },
  ],

  camera: async ({ cameraFile }, use) => {
    const camera: Camera = {
      async shows(scene) {
        const frame = await drawScene(scene)
        // A moving picture of still frames. The browser opens the file again with the camera and may still have the old one open, so it is replaced.
        await writeFile(`${cameraFile}.new`, Buffer.concat([frame, frame, frame]))
        await rename(`${cameraFile}.new`, cameraFile)
      },
      goesMissing: () => rm(cameraFile, { force: true }),
    }
    await camera.shows({})
    await use(camera)
  },
})

export const testWithWorker = test.extend({ serviceWorkers: 'allow' })

export { expect }
