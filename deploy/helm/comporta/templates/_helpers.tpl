{{- define "comporta.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "comporta.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "comporta.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "comporta.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "comporta.secret" -}}
{{- if .Values.secret.existingSecret }}{{ .Values.secret.existingSecret }}{{ else if .Values.secret.values }}{{ include "comporta.name" . }}{{ end }}
{{- end }}

{{/* The most instances that there can be: the fair share of each without Redis goes by it. */}}
{{- define "comporta.most" -}}
{{- if .Values.autoscaling.enabled }}{{ .Values.autoscaling.maxReplicas }}{{ else }}{{ .Values.replicaCount }}{{ end }}
{{- end }}

{{- define "comporta.seconds" -}}
{{- . | trimSuffix "s" | int -}}
{{- end }}

{{/* What can't work is refused here, not found out at night. */}}
{{- define "comporta.checks" -}}
{{- if not .Values.image.repository }}{{ fail "image.repository is needed: push the image of deploy/Containerfile to your registry, and name it here." }}{{ end }}
{{- if not .Values.buckets.buckets }}{{ fail "buckets.buckets is empty: name at least one database, as in buckets.yaml." }}{{ end }}
{{- $most := include "comporta.most" . | int }}
{{- if and (gt $most 1) (not .Values.redis.addr) }}{{ fail "redis.addr is needed with more than one replica: without it, each instance would open max_connections of its own." }}{{ end }}
{{- $divisor := .Values.fallback.local_limit_divisor | int }}
{{- if and (gt $divisor 0) (lt $divisor $most) }}{{ fail (printf "fallback.local_limit_divisor is %d, and there can be %d replicas: without Redis they would exceed the limits. Leave it at 0." $divisor $most) }}{{ end }}
{{- $drain := add (include "comporta.seconds" .Values.proxy.drain_delay | int) (include "comporta.seconds" .Values.proxy.shutdown_timeout | int) 10 | int }}
{{- if le (int .Values.terminationGracePeriodSeconds) $drain }}{{ fail (printf "terminationGracePeriodSeconds is %d; it has to be more than proxy.drain_delay + proxy.shutdown_timeout + 10 s, which is %d: clients would be cut off." (int .Values.terminationGracePeriodSeconds) $drain) }}{{ end }}
{{- if and .Values.autoscaling.enabled (lt (int .Values.autoscaling.maxReplicas) (int .Values.autoscaling.minReplicas)) }}{{ fail "autoscaling.maxReplicas is less than minReplicas." }}{{ end }}
{{- end }}
