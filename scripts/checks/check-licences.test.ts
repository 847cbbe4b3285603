import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkLicences, isFree } from './check-licences.mjs'

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT OR GPL-3.0-only AND LGPL-3.0-only', true],
  ['(MIT OR GPL-3.0-only) AND (ISC)', true],
  ['BlueOak-1.0.0', true],
  ['GPL-3.0-only', false],
  ['MIT AND GPL-3.0-only', false],
  ['(MIT OR ISC) AND GPL-3.0-only', false],
  ['Python-2.0', false],
  ['CC-BY-4.0', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['MIT because we say so', false],
  ['(MIT', false],
  ['UNLICENSED', false],
  ['', false],
])('judges the licence "%s": %s', (expression, free) => {
  expect(isFree(expression)).toBe(free)
})

type Packages = Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>

async function problemsOf(packages: Packages, installed: Record<string, object> = {}): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-licences-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  for (const [path, manifest] of Object.entries(installed)) {
    await mkdir(join(folder, path), { recursive: true })
    await writeFile(join(folder, path, 'package.json'), JSON.stringify(manifest))
  }
  return (await checkLicences(folder)).problems
}

test('the installed package takes precedence over the lockfile, old licence fields included', async () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/a/node_modules/@b/c': { version: '2.0.0' },
    'node_modules/d': { version: '3.0.0' },
  }
  expect(
    await problemsOf(packages, {
      'node_modules/a': { license: 'GPL-3.0-only' },
      'node_modules/a/node_modules/@b/c': { licenses: [{ type: 'MIT' }] },
      'node_modules/d': { license: { type: 'SSPL-1.0' } },
    }),
  ).toEqual(["a@1.0.0: the licence 'GPL-3.0-only' is not allowed", "d@3.0.0: the licence 'SSPL-1.0' is not allowed"])
})

test('uses the lockfile for packages of other platforms and skips workspaces', async () => {
  expect(
    await problemsOf({
      '': {},
      'packages/core': { version: '0.1.0' },
      'node_modules/@latchkey/core': { link: true },
      'node_modules/binary-darwin': { version: '1.0.0', license: 'AGPL-3.0-only', dev: true },
      'node_modules/nameless': { version: '1.0.0' },
    }),
  ).toEqual(["binary-darwin@1.0.0: the licence 'AGPL-3.0-only' is not allowed", 'nameless@1.0.0: declares no licence'])
})

test.each([
  ['@reown/appkit', '1.0.0', false],
  ['@reown/walletkit', '1.2.10', true],
  ['@reown/walletkit', '1.2.11', false],
  ['@web3modal/ui', '1.0.0', false],
  ['@walletconnect/sign-client', '2.21.8', true],
  ['@walletconnect/sign-client', '2.21.9', false],
  ['@walletconnect/core', '2.100.0', false],
  ['@walletconnect/core', '3.0.0', false],
  ['@walletconnect/keyvaluestorage', '1.1.1', true],
])('accepts %s %s: %s, whatever licence it declares', async (name, version, accepted) => {
  const problems = await problemsOf({ [`node_modules/${name}`]: { version, license: 'Apache-2.0' } })
  expect(problems.length === 0).toBe(accepted)
})
