import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkLayers, picture, type Picture } from './check-layers.mjs'

const small: Picture = {
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
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-layers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ ...manifests, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return (await checkLayers(folder, small)).problems
}

test('lets arrows go down, to what a package exports', async () => {
  expect(
    await problemsOf({
      'app/main.ts': `import { a } from '@latchkey/top'\nimport './style.css'\nimport 'react'`,
      'top/index.ts': `export * from '@latchkey/base/testing'\nexport const later = () => import('@latchkey/base')`,
      'base/index.ts': `export { b } from './b.ts'`,
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
])('refuses an arrow that goes up by %s', async (_, code) => {
  expect(await problemsOf({ 'base/index.ts': `\n${code}` })).toEqual([
    'base/index.ts:2: base may not use top: that arrow is not in the picture',
  ])
})

test('refuses siblings that meet, except in tests', async () => {
  const code = `import { a } from '@latchkey/side'`
  expect(await problemsOf({ 'top/a.ts': code, 'top/a.test.ts': code })).toEqual([
    'top/a.ts:1: top may not use side: that arrow is not in the picture',
  ])
})

test('refuses reaching into a package', async () => {
  expect(await problemsOf({ 'top/a.ts': `import { a } from '@latchkey/base/b.ts'` })).toEqual([
    `top/a.ts:1: '@latchkey/base/b.ts' reaches into base; import what its package.json exports`,
  ])
})

test('refuses a relative import that leaves the workspace, also in tests', async () => {
  expect(await problemsOf({ 'top/a.test.ts': `import { b } from '../base/index.ts'` })).toEqual([
    `top/a.test.ts:1: '../base/index.ts' leaves the workspace; import the package by its name`,
  ])
})

test('lets only tests and configurations use the tools of the repository', async () => {
  const code = `import '../scripts/lib/browser.mjs'`
  expect(await problemsOf({ 'app/a.ts': code, 'app/a.test.ts': code, 'app/vite.config.ts': code })).toEqual([
    `app/a.ts:1: '../scripts/lib/browser.mjs' leaves the workspace; import the package by its name`,
  ])
})

test('refuses names of workspaces that do not exist, and sources outside all workspaces', async () => {
  expect(await problemsOf({ 'top/a.ts': `import '@latchkey/gone'`, 'lost/a.ts': '' })).toEqual([
    'lost/a.ts: its workspace is not in the picture of scripts/check-layers.mjs',
    `top/a.ts:1: there is no workspace '@latchkey/gone'`,
  ])
})

test('refuses a circle of files, but not one of types or of lazy imports', async () => {
  expect(
    await problemsOf({
      'base/a.ts': `import './b.ts'`,
      'base/b.ts': `export * from './c.ts'`,
      'base/c.ts': `import './a.ts'`,
      'base/d.ts': `import type { E } from './e.ts'`,
      'base/e.ts': `import './d.ts'\nexport const later = () => import('./e.ts')`,
    }),
  ).toEqual(['circle of imports: base/a.ts → base/b.ts → base/c.ts → base/a.ts'])
})

test('refuses a namespace outside an adapter, but not in a comment, a test or another word', async () => {
  expect(
    await problemsOf({
      'top/a.ts': `// solana\nif (space === 'solana') ask('solanaris')\nconst id = \`eip155:\${n}\`\nconst kinds = { bip122: solana }`,
      'top/a.test.ts': `expect('bip122')`,
      'side/a.ts': `const namespace = 'polkadot'`,
    }),
  ).toEqual([
    `top/a.ts:2: only an adapter may know the namespace 'solana'`,
    `top/a.ts:3: only an adapter may know the namespace 'eip155:'`,
    `top/a.ts:4: only an adapter may know the namespace 'bip122'`,
  ])
})

test('refuses a database driver outside the kit', async () => {
  expect(await problemsOf({ 'base/a.ts': `import pg from 'pg'`, 'base/kit/a.ts': `import pg from 'pg'` })).toEqual([
    `base/a.ts:1: only server/src/kit may know the driver 'pg'`,
  ])
})

test('the picture of Latchkey itself only points down', () => {
  const lower = (workspace: string, seen: readonly string[] = []): boolean =>
    !seen.includes(workspace) && (picture.arrows[workspace] ?? []).every((below) => lower(below, [...seen, workspace]))
  expect(Object.keys(picture.arrows).filter((workspace) => !lower(workspace))).toEqual([])
})
