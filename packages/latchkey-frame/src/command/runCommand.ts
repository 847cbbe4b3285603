import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parseReleaseKey } from '@latchkey/protocol/release'
import { readPassword, type PasswordInput } from '../recover/readPassword.ts'
import { recoverWallet } from '../recover/recoverWallet.ts'
import { createSignerKey, readSignerKey } from '../signing/signerKey.ts'
import { signManifest } from '../signing/signManifest.ts'
import { verifySite, type SiteReport } from '../site/verifySite.ts'

/** Exit code of a command: 0 if all is well, 1 if a site differs or a file is refused, 2 for wrong usage. */
export type ExitCode = 0 | 1 | 2

const usage = `Usage:
  latchkey-frame verify URL --project ID [--manifest FILE] [--key PUBLIC …] [--threshold N]
                 [--auth URL] [--shares URL] [--server URL] [--farcaster-relay URL]
                 [--timeout SECONDS] [--json]
  latchkey-frame keygen FILE [--passphrase-file FILE]
  latchkey-frame sign --key FILE [--passphrase-file FILE] [dist/manifest.json]
  latchkey-frame recover FILE [--out FILE] [--show-key]

verify compares a running frame with a release. URL is its origin, or the address of the embedded page with its projectId.
keygen writes a new signing key to FILE and prints the public key. sign signs the manifest of a build.
recover opens a recovery file without a network, and prints its addresses. It reads the password from the terminal or from a pipe.`

class UsageError extends Error {}

/**
 * Runs a command of `latchkey-frame`.
 *
 * @param args the arguments after the program's name
 * @param print prints one line
 * @param input where passwords are typed or piped in
 * @returns the exit code
 * @example process.exitCode = await runCommand(process.argv.slice(2), console.log)
 */
export async function runCommand(
  args: readonly string[],
  print: (line: string) => void,
  input: PasswordInput = process.stdin,
): Promise<ExitCode> {
  const [name = '', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
  if (command === undefined) {
    print(usage)
    return 2
  }
  try {
    return await command(rest, (line) => print(toPrintable(line)), input)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    print(toPrintable(error.message))
    return error instanceof UsageError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) ? 2 : 1
  }
}

type Command = (args: readonly string[], print: (line: string) => void, input: PasswordInput) => Promise<ExitCode>

const runVerify: Command = async (args, print) => {
  const { values, positionals } = parseArgs({
    args: joinKeyOptions(args),
    allowPositionals: true,
    options: {
      project: { type: 'string' },
      manifest: { type: 'string' },
      key: { type: 'string', multiple: true },
      threshold: { type: 'string', default: '1' },
      auth: { type: 'string' },
      shares: { type: 'string' },
      server: { type: 'string' },
      'farcaster-relay': { type: 'string' },
      timeout: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
    },
  })
  const url = parseSite(positionals)
  const projectId = values.project ?? url.searchParams.get('projectId')
  if (projectId === null) throw new UsageError('Name a project id with --project: the embedded page needs one.')
  const { auth, shares, server, 'farcaster-relay': farcasterRelay, key: keys } = values
  keys?.forEach(parseReleaseKey)
  const report = await verifySite(url.origin, {
    projectId,
    manifest: values.manifest === undefined ? undefined : await readFile(values.manifest),
    signers: keys && { keys, threshold: parseNumber(values.threshold, '--threshold') },
    services: withoutUndefined({ auth, shares, server, farcasterRelay }),
    limits: { bytes: 8 * 1_048_576, timeoutMs: parseNumber(values.timeout, '--timeout') * 1_000 },
  })
  if (values.json) print(JSON.stringify(report, undefined, 2))
  else describeReport(report, { origin: url.origin, isSigned: keys !== undefined }).forEach(print)
  return report.problems.length === 0 ? 0 : 1
}

const runKeygen: Command = async (args, print) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'passphrase-file': { type: 'string' } },
  })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new UsageError('Name one file for the new key.')
  print(await createSignerKey(file, await readPassphrase(values['passphrase-file'])))
  return 0
}

const runSign: Command = async (args, print) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { key: { type: 'string' }, 'passphrase-file': { type: 'string' } },
  })
  const [file = 'dist/manifest.json', ...others] = positionals
  if (values.key === undefined || others.length > 0) throw new UsageError('Name the key with --key, and one manifest.')
  const key = await readSignerKey(values.key, await readPassphrase(values['passphrase-file']))
  print(`${await signManifest(file, key)} has the signature of ${key.publicKey}`)
  return 0
}

const runRecover: Command = async (args, print, input) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string' }, 'show-key': { type: 'boolean', default: false } },
  })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new UsageError('Name one recovery file.')
  const password = await readPassword(input, (text) => void process.stderr.write(text))
  const lines = await recoverWallet(file, { password, showKey: values['show-key'], out: values.out })
  lines.forEach(print)
  return 0
}

const commands = { verify: runVerify, keygen: runKeygen, sign: runSign, recover: runRecover }

/**
 * Joins `--key` and a value that starts with a hyphen to one argument. One public key in 64 does, and `parseArgs`
 * refuses it as ambiguous.
 */
function joinKeyOptions(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (arg === '--key' && isHyphenKey(args[index + 1])) return [`--key=${args[index + 1]}`]
    return args[index - 1] === '--key' && isHyphenKey(arg) ? [] : [arg]
  })
}

function isHyphenKey(arg: string | undefined): boolean {
  return arg !== undefined && /^-[\w-]{42}$/.test(arg)
}

function parseSite([text, ...others]: readonly string[]): URL {
  if (text === undefined || others.length > 0) throw new UsageError('Name one site, like https://wallet.example.org')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new UsageError(`${text} is not an http or https URL.`)
}

function parseNumber(text: string, name: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new UsageError(`${name} must be a whole number above 0.`)
}

/** The first line of the file. */
async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : (await readFile(file, 'utf8')).split(/\r?\n/)[0]
}

function withoutUndefined(values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function describeReport(
  { release, files, services, problems }: SiteReport,
  { origin, isSigned }: { origin: string; isSigned: boolean },
): readonly string[] {
  const addresses = Object.entries(services).map(([name, url]) => `  ${name}: ${url}`)
  return [
    `${origin}: release ${release || 'without a version'}, ${files} files`,
    'The pages use these services:',
    ...addresses,
    ...problems.map(({ kind, path, detail }) => `${kind.padEnd(10)} ${path}: ${detail}`),
    problems.length > 0
      ? `${problems.length} ${problems.length === 1 ? 'difference' : 'differences'}. Use no wallet on this site.`
      : `The site equals the release${isSigned ? ', which the keys signed' : ''}. This holds for this download only.`,
  ]
}

/** A hostile site must not control the terminal: its text may contain escape sequences. */
function toPrintable(line: string): string {
  return line.replaceAll(/[^\P{C}\n]/gu, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`)
}
