import type { TypedDataSummary, TypedNode } from '../../families/question.ts'
import { ReadableText } from '../parts/ReadableText.tsx'

/** Structured data to sign: what kind of statement, for whom, and every field of it. */
export function TypedDataQuestion({ data, network }: { data: TypedDataSummary; network: string }) {
  return (
    <>
      {data.foreignChain !== undefined && (
        <p className="caution">
          Written for chain <ReadableText text={data.foreignChain} />, but asked on {network}. Sign it only if you
          expect that.
        </p>
      )}
      <section className="quote" aria-label="Data to sign">
        <h3>
          <ReadableText text={data.primaryType} />
        </h3>
        <Tree nodes={data.message} />
        <h3>Domain</h3>
        <Tree nodes={data.domain} />
      </section>
    </>
  )
}

function Tree({ nodes }: { nodes: readonly TypedNode[] }) {
  if (nodes.length === 0) return <p className="nothing">empty</p>
  return (
    <ul className="tree">
      {nodes.map((node) => (
        <li key={node.name}>
          <span className="tree-name">
            <ReadableText text={node.name} />
            <small>
              <ReadableText text={node.type} />
            </small>
          </span>
          {'members' in node ? <Tree nodes={node.members} /> : <ReadableText text={node.value} />}
        </li>
      ))}
    </ul>
  )
}
