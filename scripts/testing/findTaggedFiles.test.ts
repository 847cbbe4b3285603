import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTaggedFiles } from './findTaggedFiles.mjs'

test('finds test files with a tag in all folders, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-tags-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const tagged = `test('waits', { tags: '${'faults'}' }, async () => {})`
  const files = {
    'a.test.ts': tagged,
    'b.test.ts': tagged.replace('faults', 'abuse'),
    'c.ts': tagged,
    'inside/d.test.tsx': tagged,
    'node_modules/e.test.ts': tagged,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  expect(await findTaggedFiles(folder, 'faults')).toEqual(['a.test.ts', 'inside/d.test.tsx'])
})
