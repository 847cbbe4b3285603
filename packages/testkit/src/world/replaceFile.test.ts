import { link, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFile } from './replaceFile.ts'

test('a file is replaced at once: a reader of the previous file still reads all of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-replace-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, opened] = [join(folder, 'urls.json'), join(folder, 'opened.json')]
  await writeFile(file, 'previous')
  await link(file, opened)
  await replaceFile(file, 'new')
  expect(await readFile(file, 'utf8')).toBe('new')
  expect(await readFile(opened, 'utf8')).toBe('previous')
  expect(await readdir(folder)).toEqual(['opened.json', 'urls.json'])
})
