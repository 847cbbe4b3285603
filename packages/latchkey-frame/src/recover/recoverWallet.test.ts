import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../command/runCommand.ts'
import { readPassword } from './readPassword.ts'

/** A recovery file that the frame wrote, of the wallet of a public test phrase. */
const file = join(import.meta.dirname, '../testing/recoveryFile.json')
const password = 'café and four calm herons'
const addresses = [
  'EVM: 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  'Solana: oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96',
]
const secrets = [
  `Recovery phrase: ${'test '.repeat(11)}junk`,
  'Private key of EVM: 0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  'Private key of Solana: 4Cfc4TJ6dsWwLcw8aJ5uhx7UJKPR5VGXTu2iJr5bVRoTDsxzb6qfJrzR5HNhBcwGwsXqGeHzDR3eUWLr7MRnska8',
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-recover-'))
})
afterAll(() => rm(folder, { recursive: true }))

const createInput = (text: string): PassThrough => new PassThrough().end(text) as PassThrough

async function recover(args: readonly string[], input = `${password}\n`) {
  const lines: string[] = []
  const code = await runCommand(['recover', ...args], (line) => void lines.push(line), createInput(input))
  return { code, lines }
}

test('recover opens a file of the frame and prints its addresses, but no secret [S-12]', async () => {
  expect(await recover([file])).toEqual({ code: 0, lines: addresses })
})

test('recover accepts the password in another Unicode form and without a line end [S-12]', async () => {
  expect(await recover([file], password.normalize('NFD'))).toEqual({ code: 0, lines: addresses })
})

test('recover prints the phrase and the keys with --show-key only [S-12]', async () => {
  expect(await recover([file, '--show-key'])).toEqual({ code: 0, lines: [...addresses, ...secrets] })
})

test('recover writes the secrets to a new file that only its owner may read [S-12]', async () => {
  const out = join(folder, 'secrets.txt')
  const { code, lines } = await recover([file, '--out', out])
  expect([code, ...lines]).toEqual([0, ...addresses, `The recovery phrase and the private keys are in ${out}.`])
  expect((await readFile(out, 'utf8')).trim().split('\n')).toEqual(secrets)
  expect((await stat(out)).mode & 0o777).toBe(0o600)
  expect(await recover([file, '--out', out])).toMatchObject({ code: 1, lines: [expect.stringContaining('EEXIST')] })
})

test(
  'recover says that the password is wrong, or that the file was changed, and writes nothing [S-12]',
  { tags: 'abuse' },
  async () => {
    const sentence = 'The password is wrong, or the file was changed.'
    const out = join(folder, 'none.txt')
    expect(await recover([file, '--out', out], 'four calm herons\n')).toEqual({ code: 1, lines: [sentence] })
    const changed = join(folder, 'changed.json')
    await writeFile(changed, (await readFile(file, 'utf8')).replace('"createdAt": "2', '"createdAt": "3'))
    expect(await recover([changed, '--out', out])).toEqual({ code: 1, lines: [sentence] })
    expect(await readdir(folder)).not.toContain('none.txt')
  },
)

test.each([
  ['text', 'no JSON'],
  ['another format', '{"format":"other","version":1}'],
  ['cheaper stretching', '{"iterations": 1'],
  ['too long', ' '.repeat(20_000)],
])('recover refuses a file with %s before it stretches the password [S-12]', async (name, content) => {
  const path = join(folder, `${name}.json`)
  const isCost = content.startsWith('{"iterations"')
  await writeFile(path, isCost ? (await readFile(file, 'utf8')).replace('"iterations": 3', '"iterations": 1') : content)
  expect(await recover([path])).toEqual({ code: 1, lines: ['This is not a recovery file of this version.'] })
})

test('recover takes no password as an argument', async () => {
  expect((await recover([file, '--password', password])).code).toBe(2)
  expect((await recover([])).code).toBe(2)
  expect((await recover([file, password])).code).toBe(2)
})

test('a terminal is asked for the password, and shows nothing that is typed', async () => {
  const prompts: string[] = []
  const input = Object.assign(createInput('secret words\n'), { isTTY: true })
  expect(await readPassword(input, (text) => void prompts.push(text))).toBe('secret words')
  expect(prompts).toEqual(['Password of the recovery file: ', '\n'])
})

test('an empty input is an empty password', async () => {
  expect(await readPassword(createInput(''), () => expect.fail('no prompt'))).toBe('')
})
