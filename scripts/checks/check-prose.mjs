import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { createRequire } from 'node:module'
import { TextlintKernel } from '@textlint/kernel'
import ts from 'typescript'
import { conclude, isMain, listFiles } from '../lib/gate.mjs'
import { listComments } from '../metrics/listComments.mjs'
import { openPassedInputs, readRules } from '../lib/passedInputs.mjs'
import { root } from '../lib/root.mjs'

// These packages are CommonJS, and the rule has no types.
const require = createRequire(import.meta.url)
const markdownPlugin = require('@textlint/textlint-plugin-markdown').default
const textPlugin = require('@textlint/textlint-plugin-text').default
const termRule = require('textlint-rule-prh').default

const linted = /(\.(md|ts|tsx|mjs)|messages\/en\.json)$/
/** The glossary lists the words to avoid. */
const exempt = /^(docs\/glossary\.md|scripts\/checks\/check-prose)|\/generated\/|\.api\.md$/

/**
 * Compares documentation, comments and English messages with the project's terms (docs/terminology.yml).
 *
 * @param {string} folder the repository
 * @param {string} terms path of the term dictionary
 * @param {import('../lib/passedInputs.mjs').PassedInputs} [passed] files that passed before are skipped
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkProse(folder, terms, passed) {
  const kernel = new TextlintKernel()
  const paths = (await listFiles(folder, linted)).filter((path) => !exempt.test(path))
  const problems = await Promise.all(
    paths.map(async (path) => {
      const source = await readFile(join(folder, path), 'utf8')
      if (passed?.has(path, source) === true) return []
      const { messages } = await kernel.lintText(proseOf(path, source), lintOptions(path, terms))
      if (messages.length === 0) passed?.add(path, source)
      return messages.map(({ loc, message }) => `${path}:${loc.start.line}: ${message.split('\n')[0]}`)
    }),
  )
  passed?.save()
  return { problems: problems.flat() }
}

/**
 * @param {string} path
 * @param {string} terms
 * @returns {import('@textlint/kernel').TextlintKernelOptions}
 */
function lintOptions(path, terms) {
  const isMarkdown = extname(path) === '.md'
  return {
    filePath: path,
    ext: isMarkdown ? '.md' : '.txt',
    plugins: isMarkdown
      ? [{ pluginId: 'markdown', plugin: markdownPlugin }]
      : [{ pluginId: 'text', plugin: textPlugin }],
    rules: [{ ruleId: 'terms', rule: termRule, options: { rulePaths: [terms] } }],
  }
}

/**
 * Removes everything but the comments of a source file. Lines keep their numbers.
 *
 * @param {string} path
 * @param {string} text
 */
function proseOf(path, text) {
  return ['.md', '.json'].includes(extname(basename(path))) ? text : commentsOnly(path, text)
}

/**
 * @param {string} path
 * @param {string} text
 */
function commentsOnly(path, text) {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  let [comments, at] = ['', 0]
  for (const { pos, end } of listComments(tree)) {
    comments += `${lineBreaksOf(text.slice(at, pos))}${text.slice(pos, end)}`
    at = end
  }
  return comments
}

/** @param {string} text */
function lineBreaksOf(text) {
  return text.replace(/[^\n]+/g, '')
}

if (isMain(import.meta.url)) {
  const rules = readRules(root, ['scripts/checks/check-prose.mjs', 'docs/terminology.yml'])
  const passed = openPassedInputs(join(root, '.latchkey/checks/prose.json'), rules)
  conclude(await checkProse(root, join(root, 'docs/terminology.yml'), passed))
}
