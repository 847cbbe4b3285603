import { join } from 'node:path'
import { ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'

/** The extractor reads declarations as an app does that runs in a page. */
const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  strict: true,
  skipLibCheck: true,
  types: [],
}

/**
 * Prepares the extractor for an entry of a package. It writes only what the caller enables, and no messages.
 *
 * @param {string} folder the package
 * @param {string} types the declaration file of the entry
 * @param {Pick<import('@microsoft/api-extractor').IConfigFile, 'apiReport' | 'dtsRollup'>} output
 */
export function prepareExtractor(folder, types, output) {
  const silent = { default: { logLevel: ExtractorLogLevel.None } }
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      newlineKind: 'lf',
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
      ...output,
    },
  })
}

/**
 * Handles a message of the extractor, so that nothing is printed.
 *
 * @param {import('@microsoft/api-extractor').ExtractorMessage} message
 */
export function silenceMessage(message) {
  message.handled = true
}
