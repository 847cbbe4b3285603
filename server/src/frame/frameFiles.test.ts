import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFrameFiles } from './frameFiles.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'latchkey-frame-'))
  await mkdir(join(dir, 'sdk'))
  await writeFile(join(dir, 'sdk/index.html'), '<p>page</p>')
  await list({ 'sdk/index.html': '<p>page</p>' })
})

afterEach(() => rm(dir, { recursive: true, force: true }))

async function list(contents: Readonly<Record<string, string>>): Promise<void> {
  const files = Object.fromEntries(
    Object.entries(contents).map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')]),
  )
  await writeFile(join(dir, 'manifest.json'), JSON.stringify({ files }))
}

test('files that match the manifest are returned unchanged [S-02]', async () => {
  const files = await readFrameFiles(dir)
  expect([...files].map(([path, content]) => [path, content.toString()])).toEqual([['sdk/index.html', '<p>page</p>']])
})

test('a changed byte stops the start [S-02]', async () => {
  await writeFile(join(dir, 'sdk/index.html'), '<p>pagE</p>')
  await expect(readFrameFiles(dir)).rejects.toThrow('sdk/index.html was changed')
})

test('an unlisted file stops the start [S-02]', async () => {
  await writeFile(join(dir, 'extra.js'), 'alert(1)')
  await expect(readFrameFiles(dir)).rejects.toThrow('extra.js is not in its list')
})

test('a missing file stops the start [S-02]', async () => {
  await list({ 'sdk/index.html': '<p>page</p>', 'assets/a.js': '' })
  await expect(readFrameFiles(dir)).rejects.toThrow('assets/a.js is missing')
})

test('a missing build is reported with the command that creates it', async () => {
  await rm(join(dir, 'manifest.json'))
  await expect(readFrameFiles(dir)).rejects.toThrow('Run npm run build')
})
