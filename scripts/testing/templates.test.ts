import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import sirv from 'sirv'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createProject, templates } from '../../packages/cli/src/create/createProject.ts'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { chromiumArguments, findHeadlessChromium } from '../lib/chromium.mjs'
import { packPackage } from '../lib/packPackage.mjs'
import { root } from '../lib/root.mjs'
import { installDevWallet } from './installDevWallet.mjs'

const packages = ['protocol', 'core', 'modal', 'react', 'elements', 'evm', 'verify', 'vue', 'wagmi', 'walletconnect']
/** A folder of the package, so that the apps find the installed dependencies. Git ignores it. */
const parent = join(root, 'packages/cli/.latchkey')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'templates-'))
let chain: Anvil

/** The packages as they are published, next to the installed dependencies. */
beforeAll(async () => {
  chain = await startAnvil()
  const projects = packages.map((name) => `packages/${name}`)
  execFileSync(process.execPath, ['node_modules/ts7/bin/tsc', '-b', ...projects], { cwd: root })
  const scope = join(folder, 'node_modules/@latchkey')
  mkdirSync(scope, { recursive: true })
  for (const name of packages) {
    const { archive } = await packPackage(join(root, 'packages', name), folder)
    mkdirSync(join(scope, name))
    execFileSync('tar', ['xzf', archive, '-C', join(scope, name), '--strip-components=1'])
  }
})
afterAll(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

const servers: readonly string[] = ['express', 'fastify', 'hono']

test.each(templates.filter((template) => !servers.includes(template)))(
  'the template %s compiles, builds and connects a wallet',
  { tags: 'browsers' },
  async (template) => {
    const name = `app-${template}`
    const path = await createProject({ folder: join(folder, name), template })
    expect(runTool(path, 'tsc', '--noEmit')).toBe('')
    expect(runTool(path, 'vite', 'build', '--logLevel', 'error')).toBe('')
    const { page, errors } = await openPage(await serveFiles(join(path, 'dist')))
    await connectWallet(page, errors)
    await page.getByRole('button', { name: 'Sign a message' }).click()
    await expect.poll(() => page.locator('output').first().textContent()).toMatch(/^0x[0-9a-f]{130}$/)
    await expectResponsivePage(page, name)
  },
)

test.each(servers)(
  'the template %s compiles, builds, and signs a user in and out',
  { tags: 'browsers' },
  async (template) => {
    const name = `app-${template}`
    const path = await createProject({ folder: join(folder, name), template })
    expect(runTool(path, 'tsc', '--noEmit')).toBe('')
    expect(runTool(path, 'vite', 'build', '--logLevel', 'error', '--outDir', 'dist/page')).toBe('')
    const outputs = ['--ssr', 'server/main.ts', '--outDir', 'dist/server']
    expect(runTool(path, 'vite', 'build', '--logLevel', 'error', ...outputs)).toBe('')
    const port = await findFreePort()
    startServer(path, 'dist/server/main.js', port)
    expect(await signInAndOut(`http://localhost:${port}`, name)).toEqual([])
  },
)

test('the template express signs a user in and out during development', { tags: 'browsers' }, async () => {
  const path = await createProject({ folder: join(folder, 'app-dev'), template: 'express' })
  const port = await findFreePort()
  startServer(path, join(root, 'node_modules/vite/bin/vite.js'), port)
  expect(await signInAndOut(`http://localhost:${port}`, 'app-dev')).toEqual([])
})

/** Signs in and out in the page of a sign-in server. @returns the errors of the page */
async function signInAndOut(url: string, name: string): Promise<readonly string[]> {
  const { page, errors } = await openPage(url)
  await connectWallet(page, errors)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click()
  const output = page.getByText(/^Signed in as 0xf39F/)
  await output.waitFor()
  await page.reload()
  await output.waitFor()
  await expectResponsivePage(page, name)
  const getGreetingStatus = (): Promise<number> => page.evaluate(async () => (await fetch('/api/greeting')).status)
  expect(await getGreetingStatus()).toBe(200)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
  await expect.poll(getGreetingStatus).toBe(401)
  return errors
}

async function connectWallet(page: Page, errors: readonly string[]): Promise<void> {
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  await expect.poll(async () => [await connect.count(), ...errors]).toEqual([1])
  await connect.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
}

async function expectResponsivePage(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(255, 255, 255)')
  expect(await page.getByRole('heading', { level: 1 }).first().textContent()).toBe(name)
}

/** Runs a tool of the repository in a project. @returns its output */
function runTool(path: string, tool: 'tsc' | 'vite', ...args: readonly string[]): string {
  const programs = { tsc: 'ts7/bin/tsc', vite: 'vite/bin/vite.js' }
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', programs[tool]), ...args], {
    cwd: path,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  return stdout + stderr
}

/** Starts a program of a project, and stops it after the test. */
function startServer(path: string, program: string, port: number): void {
  const env = { ...process.env, PORT: String(port), NODE_ENV: undefined, VITEST: undefined }
  const child = spawn(process.execPath, [program], { cwd: path, env, stdio: 'inherit' })
  onTestFinished(() => void child.kill())
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Serves a folder until the test ends. */
async function serveFiles(dist: string): Promise<string> {
  const files = sirv(dist)
  const server = createServer((request, response) => files(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens always has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function openPage(url: string) {
  const browser = await chromium.launch({ executablePath: findHeadlessChromium(), args: chromiumArguments })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await installDevWallet(page, chain.url)
  await expect
    .poll(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  await page.goto(url)
  return { page, errors }
}
