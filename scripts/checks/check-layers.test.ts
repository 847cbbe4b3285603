import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { layers, type Layers } from '../lib/layers.mjs'
import { checkLayers } from './check-layers.mjs'

const small: Layers = {
  arrows: { app: ['top', 'base'], top: ['base'], side: ['base'], base: [] },
  inTests: ['side'],
  tooling: ['scripts/lib/'],
  namesNamespaces: ['side/'],
  drivers: ['pg'],
  knowsDrivers: ['base/kit/'],
}

const manifests = {
  'app/package.json': '{ "name": "@latchkey/app" }',
  'top/package.json': '{ "name": "@latchkey/top", "exports": { ".": "./index.ts" } }',
  'side/package.json': '{ "name": "@latchkey/side", "exports": { ".": "./index.ts" } }',
  'base/package.json': '{ "name": "@latchkey/base", "exports": { ".": "./index.ts", "./testing": "./testing.ts" } }',
}

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'latchkey-layers-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ ...manifests, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, 'node_modules/@latchkey'), { recursive: true })
  for (const name of Object.keys(small.arrows)) {
    await symlink(join(folder, name), join(folder, 'node_modules/@latchkey', name))
  }
  return (await checkLayers(folder, small)).problems
}

const top = { 'top/index.ts': 'export type A = 1\nexport const a = 1' }
const side = { 'side/index.ts': 'export const a = 1' }

test('imports may go down to what a package exports', async () => {
  expect(
    await problemsOf({
      'app/main.ts': `import { a } from '@latchkey/top'\nimport './style.css'\nimport 'react'`,
      'top/index.ts': `export * from '@latchkey/base/testing'\nexport const later = () => import('@latchkey/base')`,
      'base/index.ts': `export { b } from './b.ts'`,
      'base/testing.ts': 'export const c = 1',
      'base/b.ts': 'export const b = 1',
    }),
  ).toEqual([])
})

test.each([
  ['an import', `import { a } from '@latchkey/top'`],
  ['an import of types', `import type { A } from '@latchkey/top'`],
  ['a type in place', `export type A = import('@latchkey/top').A`],
  ['an export', `export * from '@latchkey/top'`],
  ['a lazy import', `export const later = () => import('@latchkey/top')`],
])('an import that goes up fails: %s', async (_, code) => {
  expect(await problemsOf({ ...top, 'base/index.ts': `\n${code}` })).toEqual([
    'base/index.ts: imports top/index.ts: the layers forbid it',
  ])
})

test('siblings must not import each other, except in tests', async () => {
  const code = `import { a } from '@latchkey/side'`
  expect(await problemsOf({ ...side, 'top/a.ts': code, 'top/a.test.ts': code })).toEqual([
    'top/a.ts: imports side/index.ts: the layers forbid it',
  ])
})

test('an import that bypasses the exports of a package fails', async () => {
  expect(
    await problemsOf({ 'base/b.ts': 'export const a = 1', 'top/a.ts': `import { a } from '@latchkey/base/b.ts'` }),
  ).toEqual([
    'top/a.ts: imports @latchkey/base/b.ts: package.json does not export this entry, or the workspace does not exist',
  ])
})

test('a relative import that leaves the workspace fails, even in tests', async () => {
  expect(await problemsOf({ 'base/index.ts': '', 'top/a.test.ts': `import { b } from '../base/index.ts'` })).toEqual([
    `top/a.test.ts: imports base/index.ts: a relative path must not leave the workspace; import the package by its name`,
  ])
})

test('only tests and configurations may import the tools of the repository', async () => {
  const code = `import '../scripts/lib/browser.mjs'`
  const files = { 'scripts/lib/browser.mjs': '', 'app/a.ts': code, 'app/a.test.ts': code, 'app/vite.config.ts': code }
  expect(await problemsOf(files)).toEqual([
    `app/a.ts: imports scripts/lib/browser.mjs: a relative path must not leave the workspace; import the package by its name`,
  ])
})

test('names of workspaces that do not exist and sources outside all workspaces fail', async () => {
  expect(await problemsOf({ 'top/a.ts': `import '@latchkey/gone'`, 'lost/a.ts': '' })).toEqual([
    'lost/a.ts: its workspace is missing from scripts/lib/layers.mjs',
    'top/a.ts: imports @latchkey/gone: package.json does not export this entry, or the workspace does not exist',
  ])
})

test('an import cycle fails, including one of types or of lazy imports', async () => {
  const problems = await problemsOf({
    'base/a.ts': `import './b.ts'`,
    'base/b.ts': `export * from './c.ts'`,
    'base/c.ts': `import './a.ts'`,
    'base/d.ts': `import type { E } from './e.ts'`,
    'base/e.ts': `import './d.ts'`,
    'base/f.ts': `import './g.ts'`,
    'base/g.ts': `export const later = () => import('./f.ts')`,
  })
  expect(problems.toSorted()).toEqual([
    'import cycle: base/a.ts → base/b.ts → base/c.ts → base/a.ts',
    'import cycle: base/d.ts → base/e.ts → base/d.ts',
    'import cycle: base/f.ts → base/g.ts → base/f.ts',
  ])
})

test('product code must not import test helpers', async () => {
  const code = `import './testing/fake.ts'`
  const files = {
    'packages/one/src/testing/fake.ts': '',
    'packages/one/src/a.ts': code,
    'packages/one/src/a.test.ts': code,
  }
  expect((await problemsOf(files)).filter((problem) => problem.includes('test helpers'))).toEqual([
    'packages/one/src/a.ts: imports packages/one/src/testing/fake.ts: product code must not import test helpers',
  ])
})

test('a namespace may be named by an adapter, a comment, a test or as part of another word', async () => {
  expect(
    await problemsOf({
      'top/a.ts': `// solana\nif (space === 'solana') ask('solanaris')\nconst id = \`eip155:\${n}\`\nconst kinds = { bip122: solana }`,
      'top/a.test.ts': `expect('bip122')`,
      'side/a.ts': `const namespace = 'polkadot'`,
    }),
  ).toEqual([
    `top/a.ts:2: only an adapter may name the namespace 'solana'`,
    `top/a.ts:3: only an adapter may name the namespace 'eip155:'`,
    `top/a.ts:4: only an adapter may name the namespace 'bip122'`,
  ])
})

test('only the kit may import a database driver', async () => {
  expect(await problemsOf({ 'base/a.ts': `import pg from 'pg'`, 'base/kit/a.ts': `import pg from 'pg'` })).toEqual([
    `base/a.ts: imports pg: only server/src/kit may import a database driver`,
  ])
})

test('the layers of Latchkey itself have no cycle', () => {
  const lower = (workspace: string, seen: readonly string[] = []): boolean =>
    !seen.includes(workspace) && (layers.arrows[workspace] ?? []).every((below) => lower(below, [...seen, workspace]))
  expect(Object.keys(layers.arrows).filter((workspace) => !lower(workspace))).toEqual([])
})
