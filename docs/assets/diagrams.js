// The site's theme colours a diagram but for a few things that mermaid colours itself, for a light page alone.
const OURS = `
  .actor-line { stroke: var(--md-mermaid-sequence-actor-line-color) !important }
  .sectionTitle, .sectionTitle > tspan { fill: var(--md-mermaid-edge-color) !important; font-family: var(--md-mermaid-font-family) !important }
  defs marker path { fill: var(--md-mermaid-edge-color) !important; stroke: none !important }
`;
const initialize = mermaid.initialize;
mermaid.initialize = config => initialize({ ...config, themeCSS: config.themeCSS + OURS });
