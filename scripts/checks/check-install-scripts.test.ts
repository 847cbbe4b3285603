import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../lib/root.mjs'
import { checkInstallScripts } from './check-install-scripts.mjs'

type Project = {
  packages: Record<string, object>
  allowScripts?: Record<string, boolean>
  files?: Record<string, object>
}

async function problemsOf({ packages, allowScripts, files = {} }: Project): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-scripts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const all = { 'package.json': { allowScripts }, 'package-lock.json': { packages }, ...files }
  for (const [path, content] of Object.entries(all)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), JSON.stringify(content))
  }
  return (await checkInstallScripts(folder)).problems
}

const refused = [expect.stringMatching(/^evil: runs a script/)]

describe('a dependency with an install script', () => {
  test('is refused if the lockfile marks it [S-03]', async () => {
    expect(await problemsOf({ packages: { 'node_modules/evil': { hasInstallScript: true } } })).toEqual(refused)
  })

  test.each(['preinstall', 'install', 'postinstall'])(
    'is refused if the installed package has %s and the lockfile hides it [S-03]',
    async (name) => {
      const files = { 'node_modules/a/node_modules/evil/package.json': { scripts: { [name]: 'node steal.js' } } }
      const packages = { 'node_modules/a': {}, 'node_modules/a/node_modules/evil': {} }
      expect(await problemsOf({ packages, files })).toEqual(refused)
    },
  )

  test('is refused if npm would compile it [S-03]', async () => {
    const files = { 'node_modules/evil/package.json': {}, 'node_modules/evil/binding.gyp': {} }
    expect(await problemsOf({ packages: { 'node_modules/evil': {} }, files })).toEqual(refused)
  })

  test('is accepted once it is approved by name [S-03]', async () => {
    const packages = { 'node_modules/built': { hasInstallScript: true } }
    expect(await problemsOf({ packages, allowScripts: { built: true } })).toEqual([])
    expect(await problemsOf({ packages, allowScripts: { built: false } })).toHaveLength(1)
  })

  test('is not approved in advance [S-03]', async () => {
    expect(await problemsOf({ packages: {}, allowScripts: { later: true } })).toEqual([
      expect.stringMatching(/^later: allowScripts names it/),
    ])
  })
})

test('dependencies of this repository run approved scripts only [S-03]', async () => {
  expect((await checkInstallScripts(root)).problems).toEqual([])
})
