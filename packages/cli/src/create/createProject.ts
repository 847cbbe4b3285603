import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configError } from '@latchkey/protocol'

/** The templates, the default one first. */
export const templates = [
  'vite',
  'next',
  'vue',
  'vanilla',
  'wagmi',
  'solana',
  'multichain',
  'express',
  'fastify',
  'hono',
] as const
export type Template = (typeof templates)[number]

const page = ['_common', '_page']
const reactPage = [...page, '_react']
const server = [...page, '_signIn', '_server']

/** The folders that a template shares with others. Its own folder follows, and may replace their files. */
const sharedFolders: Readonly<Record<Template, readonly string[]>> = {
  vite: reactPage,
  next: ['_common', '_signIn'],
  vue: page,
  vanilla: page,
  wagmi: reactPage,
  solana: reactPage,
  multichain: reactPage,
  express: server,
  fastify: server,
  hono: server,
}

export type ProjectOptions = {
  /** The folder to create. It must not exist, or be empty. */
  folder: string
  /** One of `templates`. */
  template: string
}

/** npm renames or leaves out these files when it packs a package. */
const renamed = { _env: '.env', _gitignore: '.gitignore', '_package.json': 'package.json' }

/**
 * Creates an app from a template. Nothing is installed.
 *
 * @returns the absolute path of the app
 * @throws LatchkeyError `config/invalid` if the folder has files, its name can't be the name of a package, or the template
 * is unknown
 * @example const folder = await createProject({ folder: 'my-app', template: 'vite' })
 */
export async function createProject({ folder, template }: ProjectOptions): Promise<string> {
  const path = resolve(folder)
  const name = basename(path)
  const chosen = templates.find((each) => each === template)
  const problems = [
    ...(chosen === undefined ? [`"${template}" is not a template. Use ${templates.join(', ')}.`] : []),
    ...(/^[a-z0-9][a-z0-9._-]*$/.test(name) ? [] : [`"${name}" is not a package name. Use lower-case letters.`]),
    ...((await isEmpty(path)) ? [] : [`The folder ${folder} is not empty. Choose another name.`]),
  ]
  if (chosen === undefined || problems.length > 0) throw configError('config/invalid', { problems })
  for (const source of [...sharedFolders[chosen], chosen]) {
    await cp(fileURLToPath(new URL(`../../templates/${source}`, import.meta.url)), path, { recursive: true })
  }
  for (const [from, to] of Object.entries(renamed)) {
    if (existsSync(join(path, from))) await rename(join(path, from), join(path, to))
  }
  const entry = existsSync(join(path, 'src/main.tsx')) ? 'main.tsx' : 'main.ts'
  await fillPlaceholders(path, { '%NAME%': name, '%ENTRY%': entry, '%VERSION%': await readOwnVersion() })
  return path
}

/** All packages of Latchkey have the same version. */
async function readOwnVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return version
}

/** Replaces placeholders in all files. */
async function fillPlaceholders(folder: string, values: Readonly<Record<string, string>>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const text = await readFile(file, 'utf8')
    const filled = Object.entries(values).reduce((all, [name, value]) => all.replaceAll(name, value), text)
    await writeFile(file, filled)
  }
}

async function isEmpty(path: string): Promise<boolean> {
  return !existsSync(path) || (await readdir(path)).length === 0
}
