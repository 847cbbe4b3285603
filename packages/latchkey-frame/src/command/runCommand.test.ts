import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createBuiltFrame, projectId, type BuiltFrame } from '../testing/builtFrame.ts'
import { startHostileHost } from '../testing/hostileHost.ts'
import { runCommand } from './runCommand.ts'

let built: BuiltFrame
let folder: string

beforeEach(async () => {
  built = await createBuiltFrame()
  folder = await mkdtemp(join(tmpdir(), 'latchkey-signer-'))
})

afterEach(async () => {
  await built.remove()
  await rm(folder, { recursive: true })
})

async function run(...args: readonly string[]): Promise<{ code: number; lines: readonly string[] }> {
  const lines: string[] = []
  return { code: await runCommand(args, (line) => lines.push(line)), lines }
}

async function serve(): Promise<string> {
  const site = await built.serve()
  onTestFinished(site.close)
  return site.url
}

test('a release that is created, signed and served passes the comparison [S-08] [S-09]', async () => {
  const file = join(folder, 'signer.pem')
  const { code, lines } = await run('keygen', file)
  const [key = ''] = lines
  expect([code, key]).toEqual([0, expect.stringMatching(/^[\w-]{43}$/)])
  expect((await run('sign', '--key', file, built.manifest)).code).toBe(0)
  const url = await serve()
  const result = await run('verify', `${url}/sdk?projectId=${projectId}`, '--key', key, '--manifest', built.manifest)
  expect(result.lines.at(-1)).toContain('The site equals the release, which the keys signed.')
  expect(result.code).toBe(0)
})

test('a public key that starts with a hyphen is accepted after a space', async () => {
  const keys = [`-${'A'.repeat(42)}`, `--key${'A'.repeat(38)}`] as const
  const args = keys.flatMap((key) => ['--key', key])
  const { code, lines } = await run('verify', await serve(), '--project', projectId, ...args, '--threshold', '2')
  expect([code, lines.at(-1)]).toEqual([1, '1 difference. Use no wallet on this site.'])
})

test('a site that differs ends with code 1', async () => {
  const url = await serve()
  const { code, lines } = await run('verify', url, '--project', projectId, '--shares', 'https://mine.example')
  expect(code).toBe(1)
  expect(lines.at(-1)).toBe('3 differences. Use no wallet on this site.')
})

test('an embedded page that does not exist for the project ends with code 1', async () => {
  const { code, lines } = await run('verify', await serve(), '--project', 'b'.repeat(32))
  expect(code).toBe(1)
  expect(lines).toContain('missing    sdk/index.html: The site responds with 404.')
})

test('the signing key is readable by its owner only and overwrites no file [S-08]', async () => {
  const file = join(folder, 'signer.pem')
  await run('keygen', file)
  const before = await readFile(file, 'utf8')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await run('keygen', file)).code).toBe(1)
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('a signing key that other users of the machine can read is refused [S-08]', async () => {
  const file = join(folder, 'signer.pem')
  await run('keygen', file)
  await chmod(file, 0o644)
  const { code, lines } = await run('sign', '--key', file, built.manifest)
  expect([code, lines.join()]).toEqual([1, expect.stringContaining('chmod 600')])
})

test('an encrypted signing key works with its passphrase only [S-08]', async () => {
  const [file, passphrase, other] = ['signer.pem', 'one', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(passphrase, 'correct horse\n')
  await writeFile(other, 'wrong\n')
  await run('keygen', file, '--passphrase-file', passphrase)
  expect(await readFile(file, 'utf8')).toContain('ENCRYPTED PRIVATE KEY')
  expect((await run('sign', '--key', file, built.manifest)).code).toBe(1)
  expect((await run('sign', '--key', file, '--passphrase-file', other, built.manifest)).code).toBe(1)
  expect((await run('sign', '--key', file, '--passphrase-file', passphrase, built.manifest)).code).toBe(0)
})

test('a build that differs from its manifest is not signed [S-08]', async () => {
  const file = join(folder, 'signer.pem')
  await run('keygen', file)
  await built.write('assets/main-1.js', 'steal()')
  const { code, lines } = await run('sign', '--key', file, built.manifest)
  expect([code, lines.join()]).toEqual([1, expect.stringContaining('assets/main-1.js differs from the manifest')])
  await built.write('assets/main-1.js', 'export {}')
  await built.write('assets/more.js', '')
  expect((await run('sign', '--key', file, built.manifest)).lines.join()).toContain(
    'assets/more.js is not in the manifest',
  )
})

test('a hostile site can’t write escape sequences to the terminal [S-10]', async () => {
  const host = await startHostileHost({
    behind: await serve(),
    change: (path, response) =>
      void (
        path.startsWith('/sdk') && (response.body = response.body.replace('https://auth', '\\u001b[2Khttps://auth'))
      ),
  })
  onTestFinished(host.close)
  const { code, lines } = await run('verify', host.url, '--project', projectId)
  expect(code).toBe(1)
  expect(lines.join('\n')).toContain('\\u{1b}[2K')
  expect(lines.join('\n')).not.toContain('\u001b')
})

test.each([
  [[]],
  [['other']],
  [['toString']],
  [['verify']],
  [['verify', 'wallet.example']],
  [['verify', 'file:///etc/passwd', '--project', projectId]],
  [['verify', 'https://wallet.example']],
  [['verify', 'https://wallet.example', '--project', projectId, '--threshold', 'all', '--key', 'A'.repeat(43)]],
  [['verify', 'https://wallet.example', '--unknown']],
  [['sign']],
  [['keygen']],
])('the arguments %j end with code 2', async (args) => {
  expect((await run(...args)).code).toBe(2)
})
