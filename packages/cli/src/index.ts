export { createProject, templates, type ProjectOptions, type Template } from './create/createProject.ts'
export { diagnose, type DiagnosisOptions } from './doctor/diagnose.ts'
export type { Finding, Severity } from './doctor/finding.ts'
export { isLatchkeyError } from '@latchkey/protocol'
