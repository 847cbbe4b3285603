import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkConformance, readProofs, sectionOf } from '../conformance.mjs'

async function createRepository(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-conformance-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const documents = {
  'docs/behaviour.md':
    '# Behaviour\n- **R1.1** built: Connects.\n- **R1.2** deviates: Switches.\n- **R2.2.4** not applicable: Stores.\n',
  'docs/security-cases.md': '- **G-01** built: Identifiers.\n',
  'docs/deviations.md':
    '# Deviations\n## Deviations\n- **R1.2** Only up to ten.\n\n## Not applicable\n- **R2.2.4** Nothing is stored.\n',
}
const proof = { 'a.test.ts': `test('[R1.1] [G-01]', () => {})` }

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  return (await checkConformance(await createRepository({ ...documents, ...proof, ...files }))).problems
}

test('finds ids in the titles of tests, groups, tables, contract suites and browser tests', async () => {
  const folder = await createRepository({
    'core/src/a.test.ts': `
      describe('a [R1.1]', () => {
        test.each([1])('b %s [R1.2, G-01]', () => {})
        it(\`c \${d} [R2.2.4] [R1.1]\`, () => {})
      })`,
    'react/src/a.test.tsx': `test.each\`a\`('e [R3.1]', () => <p title="[R9.9]" />)`,
    'core/src/testing/suite.ts': `test('f [K-01]', () => {})`,
    'apps/web/e2e/a.spec.ts': `test.describe('g [S-07]', () => {})`,
  })
  expect((await readProofs(folder)).map(({ id, path, line }) => `${id} ${path}:${line}`)).toEqual([
    'S-07 apps/web/e2e/a.spec.ts:1',
    'R1.1 core/src/a.test.ts:2',
    'R1.2 core/src/a.test.ts:3',
    'G-01 core/src/a.test.ts:3',
    'R2.2.4 core/src/a.test.ts:4',
    'R1.1 core/src/a.test.ts:4',
    'K-01 core/src/testing/suite.ts:1',
    'R3.1 react/src/a.test.tsx:1',
  ])
})

test('ignores other brackets, calls and files, and dist', async () => {
  const folder = await createRepository({
    'a.test.ts': `test('list [1] [a] [EIP-6963] [RFC 7515]', () => log('[R1.1]'))\nlog('[R1.2]')`,
    'a.ts': `test('[R1.1]', () => {})`,
    'dist/a.test.ts': `test('[R1.1]', () => {})`,
  })
  expect(await readProofs(folder)).toEqual([])
})

test('knows three verdicts: proven, deviating, and not applicable', async () => {
  const folder = await createRepository({ ...documents, ...proof })
  const { problems, report } = await checkConformance(folder)
  expect(problems).toEqual([])
  expect(report).toBe(
    [
      'section  proven  deviates  not applicable  unproven',
      'R1       1       1         0',
      'R2.2     0       0         1',
      'G        1       0         0',
      '',
      '4 statements: 2 proven, 1 deviate, 1 not applicable.',
    ].join('\n'),
  )
})

test('fails on a built statement without a test', async () => {
  expect(await problemsOf({ 'a.test.ts': `test('[R1.1]', () => {})` })).toEqual([
    'G-01 is built, but no test title contains [G-01]',
  ])
})

test('fails on a status that is not a verdict', async () => {
  expect(await problemsOf({ 'docs/security-cases.md': '- **G-01** planned: Identifiers.\n' })).toEqual([
    "G-01 is 'planned', which is not a verdict: built, deviates, not applicable",
  ])
})

test('fails on a deviation without a reason, and on a reason without a deviation', async () => {
  const list = '## Deviations\n- **R2.2.4** Below the wrong heading.\n- **R1.1** Not marked.\n- **R9.9** Unknown.\n'
  expect(await problemsOf({ 'docs/deviations.md': list })).toEqual([
    "R1.2 is marked 'deviates', but docs/deviations.md has no reason for it",
    "R2.2.4 is marked 'not applicable', but docs/deviations.md has no reason for it",
    "docs/deviations.md: no statement R2.2.4 says 'deviates'",
    "docs/deviations.md: no statement R1.1 says 'deviates'",
    "docs/deviations.md: no statement R9.9 says 'deviates'",
  ])
})

test('fails on an id that does not exist', async () => {
  expect(await problemsOf({ 'b.test.ts': `\ntest('x [R1.3] [R1.1.]', () => {})` })).toEqual([
    'b.test.ts:2: there is no statement R1.3',
    'b.test.ts:2: there is no statement R1.1.',
  ])
})

test.each([
  ['R2.2.4', 'R2.2'],
  ['R3.17', 'R3'],
  ['G-01', 'G'],
])('puts %s into section %s', (id, section) => {
  expect(sectionOf(id)).toBe(section)
})
