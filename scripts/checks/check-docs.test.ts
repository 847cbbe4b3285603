import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkDocs } from './check-docs.mjs'

const good = {
  'packages/protocol/src/errors.ts': `export interface ErrorContexts { 'http/status': { status: number }; 'project/missing': object }`,
  'docs/errors.md': '# Errors\n## `http/status`\n## `project/missing`\n',
  'docs/behaviour.md': '- **R1.1** built: Connects.\n- **R1.2** deviates: Switches.\n',
  'docs/security-cases.md':
    '- **G-01** not applicable: Identifiers. See [errors](errors.md#top) and [the web](https://example.org).\n',
  'server/src/config.ts':
    'const relayVariables = { MESSAGE_TTL: optional(text) }; const variables = { PORT: 1, ...relayVariables }',
  'docs/decisions/a.md': '# A\n\n## Decision\n\n- **List.** A.\n\n## Reason\n\n### Detail\n\n## Consequences\n',
  'server/README.md': 'Set `PORT=4602`. `MESSAGE_TTL` is in seconds.\n',
}

async function problemsOf(files: Partial<typeof good>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ ...good, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return (await checkDocs(folder, { R1: 2, G: 1 })).problems
}

test('accepts documents that match the code', async () => {
  expect(await problemsOf({})).toEqual([])
})

test('finds error codes without a heading, and headings without a code', async () => {
  expect(await problemsOf({ 'docs/errors.md': '## `http/status`\n## `http/gone`\n## `http/status`\n' })).toEqual([
    'docs/errors.md: no heading for `project/missing`',
    'docs/errors.md: there is no error `http/gone`',
    'docs/errors.md: `http/status` has more than one heading',
  ])
})

test('finds missing, unknown and repeated statements, and unknown statuses', async () => {
  const where = 'docs/behaviour.md, docs/security-cases.md'
  expect(
    await problemsOf({ 'docs/behaviour.md': '- **R1.1** built: A.\n- **R1.1** built: A.\n- **R1.3** maybe: B.\n' }),
  ).toEqual([
    `${where}: R1.2 is missing`,
    `${where}: R1.3 is not a statement of R1`,
    `${where}: R1.1 appears twice`,
    `${where}: R1.3 is 'maybe', which is not a known status`,
  ])
})

test('finds broken links', async () => {
  expect(await problemsOf({ 'docs/errors.md': `${good['docs/errors.md']}[gone](../gone.md#there)` })).toEqual([
    'docs/errors.md: the link to ../gone.md is broken',
  ])
})

test('reports an environment variable that no document explains', async () => {
  expect(await problemsOf({ 'server/README.md': 'Set `PORT`.\n' })).toEqual([
    'server/README.md: the environment variable MESSAGE_TTL is not documented',
  ])
})

test('finds decisions with other sections, another order or bold words in place of headings', async () => {
  const path = 'docs/decisions/a.md'
  expect(await problemsOf({ [path]: '## Decided\n## Reason\n## What follows\n' })).toEqual([
    `${path}: the sections are 'Decided, Reason, What follows', not 'Decision, Reason'`,
  ])
  expect(await problemsOf({ [path]: '## Decision\n## Reason\n## Consequences\n## Alternatives\n' })).toEqual([
    `${path}: the sections are 'Decision, Reason, Consequences, Alternatives', not 'Decision, Reason, Alternatives, Consequences'`,
  ])
  expect(await problemsOf({ [path]: '## Decision\n## Reason\n**Why.** A.\n' })).toEqual([
    `${path}: 'Why' is a bold word in place of a heading`,
  ])
})
