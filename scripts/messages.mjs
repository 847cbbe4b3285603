import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { conclude, isMain, listFiles } from './lib/gate.mjs'
import { root } from './lib/root.mjs'
import { compareMessages } from './messages/compareMessages.mjs'
import { compileApp, generatedFolder } from './messages/compileApp.mjs'
import { readApps } from './messages/readApps.mjs'

/** @typedef {import('./messages/readApps.mjs').App} App */
/** @typedef {import('./messages/readApps.mjs').Config} Config */

/**
 * Compiles the texts of all apps into their folders, unless a text is invalid.
 *
 * @param {string} folder the repository
 * @param {Config} config
 * @returns {Promise<import('./lib/gate.mjs').Finding>}
 */
export async function compileMessages(folder, config) {
  const apps = await readApps(folder, config)
  const finding = compareWithEnglish(apps)
  // Invalid texts cannot be compiled.
  if (finding.problems.length === 0) await Promise.all(apps.map((app) => writeCompiled(folder, app)))
  return finding
}

/**
 * Fails if the compiled texts are not those of the JSON files, or a text is invalid. Missing and stale texts are
 * reported only: English takes the place of a missing text.
 *
 * @param {string} folder the repository
 * @param {Config} config
 * @returns {Promise<import('./lib/gate.mjs').Finding>}
 */
export async function checkMessages(folder, config) {
  const apps = await readApps(folder, config)
  const finding = compareWithEnglish(apps)
  if (finding.problems.length > 0) return finding
  const outdated = await Promise.all(apps.map((app) => findOutdated(folder, app)))
  return { ...finding, problems: outdated.flat() }
}

/**
 * @param {string} folder
 * @param {App} app
 */
async function writeCompiled(folder, app) {
  const generated = join(folder, app.folder, generatedFolder)
  await rm(generated, { recursive: true, force: true })
  for (const [path, code] of compileApp(app)) {
    await mkdir(dirname(join(generated, path)), { recursive: true })
    await writeFile(join(generated, path), code)
  }
}

/**
 * @param {string} folder
 * @param {App} app
 */
async function findOutdated(folder, app) {
  const generated = join(folder, app.folder, generatedFolder)
  const compiled = compileApp(app)
  const present = await listFiles(generated, /./).catch(() => [])
  const paths = [...new Set([...compiled.keys(), ...present])].toSorted()
  const contents = await Promise.all(
    paths.map((path) => readFile(join(generated, path), 'utf8').catch(() => undefined)),
  )
  return paths
    .filter((path, index) => contents[index] !== compiled.get(path))
    .map((path) => `${app.folder}/${generatedFolder}/${path} is out of date: run \`node scripts/messages.mjs\``)
}

/**
 * @param {readonly App[]} apps
 * @returns {import('./lib/gate.mjs').Finding}
 */
function compareWithEnglish(apps) {
  /** @type {string[]} */
  const problems = []
  /** @type {string[]} */
  const lines = []
  for (const { folder, messages, descriptions } of apps) {
    const english = messages.get('en') ?? {}
    const unknown = Object.keys(descriptions).filter((path) => findMessage(english, path) === undefined)
    lines.push(
      ...unknown.map((path) => `${folder}/messages/descriptions.json: ${path} is stale, the text does not exist`),
    )
    for (const [locale, texts] of messages) {
      const { missing, stale, invalid } = compareMessages(english, texts)
      const file = `${folder}/messages/${locale}.json`
      lines.push(...missing.map((path) => `${file}: ${path} is missing, English is shown`))
      lines.push(...stale.map((path) => `${file}: ${path} is stale, English has no such text`))
      problems.push(
        ...invalid.map((path) => `${file}: ${path} is empty, malformed, or has other arguments than English`),
      )
    }
  }
  return { problems, ...(lines.length > 0 && { report: lines.join('\n') }) }
}

/**
 * Finds a text or a group by its path.
 *
 * @param {import('./messages/compileChunk.mjs').Messages} messages
 * @param {string} path such as `connect.title`
 */
function findMessage(messages, path) {
  /** @type {string | import('./messages/compileChunk.mjs').Messages | undefined} */
  let found = messages
  for (const key of path.split('.')) found = typeof found === 'object' ? found[key] : undefined
  return found
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
  const config = JSON.parse(await readFile(new URL('messages/config.json', import.meta.url), 'utf8'))
  conclude(values.check === true ? await checkMessages(root, config) : await compileMessages(root, config))
}
