import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveArchives } from '../../bench/serveArchives.mjs'
import { packPackage } from '../../lib/packPackage.mjs'
import { root } from '../../lib/root.mjs'
import { createNpmEnvironment } from '../../release/createNpmEnvironment.mjs'
import { findFreePort, openPage, startServer } from '../templatePages.ts'

const run = promisify(execFile)
const packages =
  'protocol core modal adapter-kit evm solana bitcoin react elements embedded verify wagmi walletconnect appkit'.split(
    ' ',
  )
const folder = mkdtempSync(join(tmpdir(), 'latchkey-next-appkit-'))
const app = join(folder, 'app')
const next = ['node_modules/next/dist/bin/next']
let chain: Anvil
let env: NodeJS.ProcessEnv

/** Changes what the guide for apps of AppKit changes: the names of the imported packages. */
function changeImports(text: string): string {
  return text
    .replaceAll(/'@reown\/appkit-(adapter-\w+|siwe|siwx|wallet-button)/g, "'@latchkey/appkit/$1")
    .replaceAll("'@reown/appkit", "'@latchkey/appkit")
}

beforeAll(async () => {
  chain = await startAnvil()
  cpSync(join(root, 'packages/appkit/templates/next'), app, { recursive: true })
  renameSync(join(app, '_package.json'), join(app, 'package.json'))
  for (const path of readdirSync(join(app, 'src'), { recursive: true, encoding: 'utf8' })) {
    const file = join(app, 'src', path)
    if (/\.tsx?$/.test(path)) writeFileSync(file, changeImports(readFileSync(file, 'utf8')))
  }
  const archives: string[] = []
  for (const name of packages) archives.push((await packPackage(join(root, 'packages', name), folder)).archive)
  const registry = await serveArchives(archives)
  try {
    env = { ...(await createNpmEnvironment(folder, registry.url)), NEXT_TELEMETRY_DISABLED: '1' }
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: app, env })
  } finally {
    registry.close()
  }
})
afterAll(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

const statusOf = (page: Page): Promise<string> => page.locator('main').innerText()

test(
  'an AppKit app of Next.js with wagmi compiles, signs in, reconnects and disconnects after only its imports changed',
  {
    tags: 'browsers',
  },
  async () => {
    await run(process.execPath, [...next, 'build'], { cwd: app, env })
    const port = await findFreePort()
    startServer(app, [...next, 'start'], port)
    const { page, errors } = await openPage(`http://localhost:${port}`, chain)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Dev Wallet' }).click()
    await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
    await expect.poll(() => statusOf(page)).toMatch(/Address: 0xf39F\w+/)
    await expect.poll(() => statusOf(page)).toMatch(/wagmi: 0xf39F\w+/)
    const readSession = (): Promise<unknown> => page.evaluate(async () => (await fetch('/api/siwe/session')).json())
    await expect.poll(readSession).toMatchObject({ address: expect.stringMatching(/^0xf39F/), chainId: 1 })

    await page.reload()
    await expect.poll(() => statusOf(page)).toMatch(/Address: 0xf39F\w+\s+wagmi: 0xf39F\w+/)
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await expect.poll(() => statusOf(page)).toContain('Connected: false')
    await expect.poll(readSession).toBeNull()
    expect(errors).toEqual([])
  },
)
