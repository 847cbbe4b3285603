import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver'
import { requireWebKit } from '../../../../scripts/testing/webkit.mjs'

/** A window of WebKitGTK, the engine of Safari, which a test controls by WebDriver. */
export type WebKit = { driver: WebDriver; close(): Promise<void> }

/**
 * Starts WebKitGTK on a display of its own.
 *
 * @param settings arguments of the browser, such as `--enable-html5-local-storage=false`
 */
export async function startWebKit(settings: readonly string[] = []): Promise<WebKit> {
  const programs = requireWebKit()
  const children: ChildProcess[] = []
  const stop = (): void => children.splice(0).forEach((child) => child.kill())
  try {
    const display = spawn(programs.display, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    children.push(display)
    const number = await readLine(display)
    const port = await findFreePort()
    const env = { ...process.env, DISPLAY: `:${number}`, ...environment }
    children.push(spawn(programs.driver, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' }))
    const driver = await connect(`http://127.0.0.1:${port}`, {
      binary: programs.browser,
      args: ['--automation', ...settings],
    })
    return {
      driver,
      async close() {
        await driver.quit().catch(() => undefined)
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}

/** Containers allow no sandbox of their own inside, and have no graphics card. */
const environment = { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LIBGL_ALWAYS_SOFTWARE: '1' }

async function readLine(display: ChildProcess): Promise<string> {
  // The pipe is readable, because the display writes to it.
  const [data] = (await once(display.stdio[3] as Readable, 'data')) as [Buffer]
  return data.toString().trim()
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Connects as soon as the driver listens. */
async function connect(url: string, browserOptions: { binary: string; args: string[] }): Promise<WebDriver> {
  const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': browserOptions })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await new Builder().usingServer(url).withCapabilities(capabilities).build()
    } catch (error) {
      if (attempt === maxAttempts) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

const maxAttempts = 40
